/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a model for the sine of some angles. */
#include <petite/petite.h>
#include <petite/platform.h>

#include "print.h"
#include "sine.h"

#define STEP_DEGREES 30

/** One inference, for @p degrees between -180 and 180. */
static enum petite_status sine_of(int32_t degrees, float *sine)
{
	enum petite_status status;

	*sine_input0() = (float)degrees * (3.14159265f / 180.0f);
	status = petite_run(&sine_plan);
	*sine = *sine_output0();
	return status;
}

static void print_model(void)
{
	petite_platform_write("sine: ");
	print_integer(SINE_CONSTANT_BYTES);
	petite_platform_write(" bytes of constants, ");
	print_integer(SINE_ARENA_BYTES);
	petite_platform_write(" bytes of RAM\n{\"event\":\"model\",\"name\":\"sine\","
			      "\"constant_bytes\":");
	print_integer(SINE_CONSTANT_BYTES);
	petite_platform_write(",\"arena_bytes\":");
	print_integer(SINE_ARENA_BYTES);
	petite_platform_write("}\n");
}

static void print_result(int32_t degrees, float sine)
{
	petite_platform_write("the sine of ");
	print_integer(degrees);
	petite_platform_write(" degrees is about ");
	print_decimal(sine);
	petite_platform_write("\n{\"event\":\"inference\",\"degrees\":");
	print_integer(degrees);
	petite_platform_write(",\"sine\":");
	print_decimal(sine);
	petite_platform_write("}\n");
}

int main(void)
{
	print_model();
	for (int32_t degrees = -180; degrees <= 180; degrees += STEP_DEGREES) {
		float sine;
		enum petite_status status = sine_of(degrees, &sine);

		if (status != PETITE_OK) {
			petite_platform_write("petite_run() failed with status ");
			print_integer(status);
			petite_platform_write("\n");
			return 1;
		}
		print_result(degrees, sine);
	}
	petite_platform_write("done\n");
	return 0;
}
