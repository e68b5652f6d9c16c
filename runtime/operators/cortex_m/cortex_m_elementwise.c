/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stddef.h>

#include "../../kernels/add/add_s8.h"
#include "../../kernels/div/div_s16.h"
#include "../../kernels/div/div_s8.h"
#include "../../kernels/lut/lut_s8.h"
#include "../../kernels/mul/mul_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "cortex_m.h"

/** Two operands: the first has the output's shape, the second too, or one value a channel. */
struct operands {
	const void *input[2];
	void *output;
	int32_t count;
	int32_t period;
	/** Whether the first is the call's second. */
	bool is_swapped;
};

/** Whether a tensor has one value for each channel of an image whose channels are innermost. */
static bool is_channelwise(const struct petite_load_tensor *tensor,
			   const struct petite_load_tensor *image)
{
	return image->rank == 4 && tensor->rank == 4 && tensor->sizes[1] == image->sizes[1] &&
	       tensor->count == image->sizes[1] && petite_is_innermost(image, 1);
}

static void take_operands(struct petite_call *call, uint32_t second, struct operands *operands)
{
	struct petite_load_tensor inputs[2];
	struct petite_load_tensor output;

	petite_call_input(call, 0, PETITE_S8, &inputs[0]);
	petite_call_input(call, second, PETITE_S8, &inputs[1]);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	operands->is_swapped = !petite_same_sizes(&inputs[0], &output);
	if (operands->is_swapped) {
		struct petite_load_tensor first = inputs[0];

		inputs[0] = inputs[1];
		inputs[1] = first;
	}
	operands->input[0] = inputs[0].data;
	operands->input[1] = inputs[1].data;
	operands->output = output.data;
	operands->count = output.count;
	operands->period = inputs[1].count;
	petite_call_require(call, petite_same_layout(&inputs[0], &output) &&
					  (petite_same_layout(&inputs[1], &output) ||
					   is_channelwise(&inputs[1], &output)));
}

/** Helium's kernels scale with shifts up to zero only. */
static petite_kernel kernel_for(const struct petite_call *call, int32_t largest_shift,
				petite_kernel otherwise)
{
	return largest_shift > 0 ? otherwise : petite_call_kernel(call);
}

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/**
 * (x, zero point, multiplier, shift, y, zero point, multiplier, shift,
 * output zero point, multiplier, shift, activation min, max, output)
 */
void petite_prepare_quantized_add(struct petite_call *call)
{
	struct operands operands;
	struct petite_add_s8 params;
	uint32_t first;
	uint32_t second;
	int32_t shift;

	take_operands(call, 4, &operands);
	first = operands.is_swapped ? 4 : 0;
	second = 4 - first;
	params = (struct petite_add_s8){
		.input1 = operands.input[0],
		.input2 = operands.input[1],
		.output = operands.output,
		.count = operands.count,
		.period = operands.period,
		.input1_offset = -petite_call_offset(call, first + 1),
		.input1_multiplier = petite_call_multiplier(call, first + 2),
		.input1_shift = petite_call_shift(call, first + 3),
		.input2_offset = -petite_call_offset(call, second + 1),
		.input2_multiplier = petite_call_multiplier(call, second + 2),
		.input2_shift = petite_call_shift(call, second + 3),
		.output_offset = petite_call_offset(call, 8),
		.multiplier = petite_call_multiplier(call, 9),
		.shift = petite_call_shift(call, 10),
		.activation_min = petite_call_int8(call, 11),
		.activation_max = petite_call_int8(call, 12),
	};
	shift = larger(larger(params.input1_shift, params.input2_shift), params.shift);
	petite_call_step(call, kernel_for(call, shift, petite_add_s8_scalar), &params,
			 sizeof(params));
}

/** (x, zero point, y, zero point, output zero point, multiplier, shift, output) */
void petite_prepare_quantized_mul(struct petite_call *call)
{
	struct operands operands;
	struct petite_mul_s8 params;

	take_operands(call, 2, &operands);
	params = (struct petite_mul_s8){
		.input1 = operands.input[0],
		.input2 = operands.input[1],
		.output = operands.output,
		.count = operands.count,
		.period = operands.period,
		.input1_offset = -petite_call_offset(call, operands.is_swapped ? 3 : 1),
		.input2_offset = -petite_call_offset(call, operands.is_swapped ? 1 : 3),
		.output_offset = petite_call_offset(call, 4),
		.multiplier = petite_call_multiplier(call, 5),
		.shift = petite_call_shift(call, 6),
		.activation_min = INT8_MIN,
		.activation_max = INT8_MAX,
	};
	petite_call_step(call, kernel_for(call, params.shift, petite_mul_s8_scalar), &params,
			 sizeof(params));
}

/** What divisions of both types take. */
static void take_division(struct petite_call *call, uint8_t dtype, struct operands *operands)
{
	struct petite_load_tensor inputs[2];
	struct petite_load_tensor output;

	petite_call_input(call, 0, dtype, &inputs[0]);
	petite_call_input(call, 2, dtype, &inputs[1]);
	petite_call_output(call, petite_call_argument_count(call) - 1, dtype, &output);
	petite_call_require(call, petite_same_layout(&inputs[0], &output) &&
					  petite_same_layout(&inputs[1], &output));
	operands->input[0] = inputs[0].data;
	operands->input[1] = inputs[1].data;
	operands->output = output.data;
	operands->count = output.count;
}

/** A finite float32 that is not negative. */
static float division_scale(struct petite_call *call)
{
	double scale = petite_call_number(call, 5);

	petite_call_require(call, scale >= 0 && scale <= (double)FLT_MAX);
	return petite_call_failed(call) ? 0.0f : (float)scale;
}

/* (x, zero point, y, zero point, output zero point, scale, output) for either element type */
#define DEFINE_DIV(suffix, dtype, least, most)                                                     \
	void petite_prepare_quantized_div_##suffix(struct petite_call *call)                       \
	{                                                                                          \
		struct operands operands;                                                          \
		struct petite_div_##suffix params;                                                 \
                                                                                                   \
		take_division(call, dtype, &operands);                                             \
		params = (struct petite_div_##suffix){                                             \
			.input1 = operands.input[0],                                               \
			.input2 = operands.input[1],                                               \
			.output = operands.output,                                                 \
			.count = operands.count,                                                   \
			.input1_offset = -petite_call_offset(call, 1),                             \
			.input2_offset = -petite_call_offset(call, 3),                             \
			.output_offset = petite_call_offset(call, 4),                              \
			.scale = division_scale(call),                                             \
			.activation_min = least,                                                   \
			.activation_max = most,                                                    \
		};                                                                                 \
		petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));         \
	}

DEFINE_DIV(s8, PETITE_S8, INT8_MIN, INT8_MAX)
DEFINE_DIV(s16, PETITE_S16, INT16_MIN, INT16_MAX)

/** (input, table [256], output) */
void petite_prepare_quantized_activation(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor table;
	struct petite_load_tensor output;
	struct petite_lut_s8 params;

	petite_call_input(call, 0, PETITE_S8, &input);
	petite_call_constant(call, 1, PETITE_S8, &table);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	petite_call_require(call, table.count == 256 && petite_same_layout(&input, &output));
	params = (struct petite_lut_s8){
		.input = input.data,
		.table = table.data,
		.output = output.data,
		.count = output.count,
	};
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}
