/* SPDX-License-Identifier: Apache-2.0 */
#include "loaded.h"

#include <stddef.h>

#include <petite/platform.h>

#include "port.h"

static void write_number(int64_t value)
{
	char text[24];
	char *at = text + sizeof(text) - 1;
	uint64_t rest = value < 0 ? (uint64_t)-value : (uint64_t)value;

	*at = '\0';
	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest != 0);
	if (value < 0) {
		*--at = '-';
	}
	petite_platform_write(at);
}

void write_refusal(int status, const struct petite_load_fault *fault)
{
	petite_platform_write("petite: the loader refused the program with status ");
	write_number(status);
	petite_platform_write(" at byte ");
	write_number(fault->byte);
	if (fault->instruction >= 0) {
		petite_platform_write(", instruction ");
		write_number(fault->instruction);
	}
	if (fault->operator_name != NULL) {
		petite_platform_write(", operator ");
		petite_platform_write(fault->operator_name);
	}
	if (fault->overload != NULL) {
		petite_platform_write(".");
		petite_platform_write(fault->overload);
	}
	petite_platform_write("\n");
}

static const struct petite_plan *plan;
static struct petite_load_fault fault;

static int load(const void *program)
{
	return petite_load(program, &model_memory, &plan, &fault);
}

uint32_t load_stack;

const struct petite_plan *load_method(uint32_t method)
{
	int status = port_measure(load, &model_programs[method], &load_stack);

	if (status != PETITE_OK) {
		write_refusal(status, &fault);
		return NULL;
	}
	return plan;
}
