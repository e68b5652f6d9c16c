/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/pad/pad.h"
#include "../../kernels/softmax/softmax_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "cortex_m.h"

/** The sum of a row's exponentials has 12 integer bits. */
#define MOST_COLUMNS 4095

/** (input, dim, input zero point, output zero point, multiplier, shift, diff_min, output) */
void petite_prepare_softmax_s8(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_softmax_s8 params;
	uint32_t dimension;
	int32_t columns;
	int32_t diff_min;
	int32_t shift;

	petite_call_input(call, 0, PETITE_S8, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	dimension = petite_call_dimension(call, 1, input.rank);
	shift = petite_call_int(call, 5);
	diff_min = petite_call_int(call, 6);
	petite_call_require(call, petite_call_int(call, 3) == INT8_MIN);
	petite_call_require(call, input.rank >= 1 && input.count > 0 &&
					  petite_same_layout(&input, &output) &&
					  petite_is_innermost(&input, dimension));
	petite_call_require(call, shift >= 0 && shift <= 31 && diff_min <= 0 &&
					  diff_min >= -((INT64_C(1) << 31) >> shift));
	if (petite_call_failed(call)) {
		return;
	}
	columns = input.sizes[dimension];
	petite_call_require(call, columns <= MOST_COLUMNS);
	params = (struct petite_softmax_s8){
		.input = input.data,
		.output = output.data,
		.rows = input.count / columns,
		.columns = columns,
		.input_multiplier = petite_call_int(call, 4),
		.input_shift = shift,
		.diff_min = diff_min,
	};
	petite_call_require(call, params.input_multiplier > 0);
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}

/**
 * Whether the exporter took the input for NHWC when it wrote the padding. It does so for every
 * image with one channel or one pixel, whatever its order in memory.
 */
static bool is_channels_last(const struct petite_load_tensor *input)
{
	static const struct petite_load_tensor channels_last = {.order = {0, 2, 3, 1}};

	return input->rank == 4 &&
	       (input->sizes[1] == 1 || (input->sizes[2] == 1 && input->sizes[3] == 1) ||
		petite_same_order(input, &channels_last));
}

/** (input, before, after, value, output): four numbers each, for the last dimensions in memory */
void petite_prepare_cortex_m_pad(struct petite_call *call)
{
	static const uint8_t nhwc_to_nchw[] = {0, 3, 1, 2};
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_pad params = {0};
	int32_t before[4];
	int32_t after[4];
	uint32_t unused;

	petite_call_input(call, 0, PETITE_S8, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	petite_call_require(call, petite_call_ints(call, 1, before, 4) == 4);
	petite_call_require(call, petite_call_ints(call, 2, after, 4) == 4);
	petite_call_require(call, input.rank >= 1 && input.rank <= 4 && input.rank == output.rank &&
					  input.count > 0 && petite_same_order(&input, &output));
	if (petite_call_failed(call)) {
		return;
	}
	unused = PETITE_LOAD_RANK - input.rank;
	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		params.input_dims[k] = 1;
	}
	for (uint32_t k = 0; k < input.rank; k++) {
		uint32_t dimension = input.order[k];
		uint32_t position = 4 - input.rank + dimension;
		int64_t size = input.sizes[dimension];

		if (is_channels_last(&input)) {
			position = nhwc_to_nchw[position];
		}
		petite_call_require(call, before[position] >= 0 && after[position] >= 0);
		petite_call_require(call, size + before[position] + after[position] ==
						  output.sizes[dimension]);
		params.input_dims[unused + k] = input.sizes[dimension];
		params.before[unused + k] = before[position];
		params.after[unused + k] = after[position];
	}
	params.input = input.data;
	params.output = output.data;
	params.element_size = 1;
	params.fill[0] = (uint8_t)petite_call_int8(call, 3);
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}
