/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

static void take_output(struct petite_call *call, struct petite_load_tensor *output)
{
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, output);
}

/** Fill the output with an argument. */
static void fill(struct petite_call *call, uint32_t position)
{
	struct petite_load_tensor output;
	struct petite_load_tensor element;

	take_output(call, &output);
	petite_call_number_tensor(call, position, output.dtype, &element);
	petite_call_expand(call, &element, &output);
}

/** (size or tensor, number, ..., output): the output's shape is the size */
void petite_prepare_full(struct petite_call *call)
{
	fill(call, 1);
}

/** (number, ..., output) */
void petite_prepare_scalar_tensor(struct petite_call *call)
{
	fill(call, 0);
}

/** Fill the output with an integer that every type has. */
static void fill_with(struct petite_call *call, int64_t value)
{
	struct petite_load_tensor output;
	struct petite_load_tensor element;
	uint8_t bytes[8] = {0};

	take_output(call, &output);
	if (output.dtype == PETITE_F32) {
		petite_call_float_bytes((float)value, bytes);
	} else {
		petite_call_long_bytes(call, value, output.dtype, bytes);
	}
	petite_call_element(call, output.dtype, bytes, &element);
	petite_call_expand(call, &element, &output);
}

/** (size, ..., output): what is left undefined is zero too */
void petite_prepare_zeros(struct petite_call *call)
{
	fill_with(call, 0);
}

void petite_prepare_ones(struct petite_call *call)
{
	fill_with(call, 1);
}

/** (tensor for the shape, number as a tensor, output) */
static void fill_from_tensor(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct petite_load_tensor filling;
	struct petite_load_tensor output;
	uint32_t used = 0;

	petite_call_input(call, 1, 0, &filling);
	petite_call_output(call, petite_call_argument_count(call) - 1, dtype, &output);
	petite_call_require(call, filling.count == 1);
	petite_call_as(call, &used, dtype, casts, &filling);
	filling.rank = 0;
	petite_call_expand(call, &filling, &output);
}

#define DEFINE_FILL(type, TYPE)                                                                    \
	void petite_prepare_fill_tensor_##type(struct petite_call *call)                           \
	{                                                                                          \
		fill_from_tensor(call, TYPE, petite_casts_to_##type);                              \
	}

DEFINE_FILL(s8, PETITE_S8)
DEFINE_FILL(s16, PETITE_S16)
DEFINE_FILL(s32, PETITE_S32)
DEFINE_FILL(s64, PETITE_S64)
DEFINE_FILL(u8, PETITE_U8)
DEFINE_FILL(f32, PETITE_F32)
DEFINE_FILL(bool, PETITE_BOOL)

/** The bytes of a number of a range, converted. */
static void convert(struct petite_call *call, double value, uint8_t dtype, uint8_t *bytes)
{
	if (dtype == PETITE_F32) {
		petite_call_float_bytes((float)value, bytes);
		return;
	}
	petite_call_require(call, value > -0x1p63 && value < 0x1p63);
	if (!petite_call_failed(call)) {
		petite_call_long_bytes(call, (int64_t)value, dtype, bytes);
	}
}

/** start + i * step, in double; kept in memory for structures. */
static void range(struct petite_call *call, double start, double step)
{
	struct petite_load_tensor output;
	struct petite_load_tensor numbers;
	uint8_t *kept;
	uint32_t size;

	take_output(call, &output);
	petite_call_require(call, output.rank == 1 && start > -0x1p100 && start < 0x1p100 &&
					  step > -0x1p90 && step < 0x1p90);
	size = petite_element_size(output.dtype);
	kept = petite_call_reserve(call, (uint32_t)output.count * size);
	for (int32_t i = 0; i < output.count && !petite_call_failed(call); i++) {
		uint8_t bytes[8] = {0};

		convert(call, start + i * step, output.dtype, bytes);
		if (kept != NULL) {
			memcpy(kept + (uint32_t)i * size, bytes, size);
		}
	}
	numbers = output;
	numbers.data = kept;
	numbers.is_constant = true;
	petite_call_expand(call, &numbers, &output);
}

/** (end, output) */
void petite_prepare_arange(struct petite_call *call)
{
	range(call, 0.0, 1.0);
}

/** (start, end, step, output) */
void petite_prepare_arange_from(struct petite_call *call)
{
	double start = petite_call_number(call, 0);

	range(call, start, petite_call_number(call, 2));
}
