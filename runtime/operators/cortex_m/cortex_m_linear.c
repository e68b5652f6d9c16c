/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/batch_matmul/batch_matmul_s8.h"
#include "../../kernels/linear/linear_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "cortex_m.h"

/** bias[o] + offset * (sum of weights[o]), which wraps; kept in memory for structures. */
static const int32_t *fold_bias(struct petite_call *call, const int32_t *bias,
				const struct petite_load_tensor *weights, int32_t offset)
{
	uint32_t outputs = (uint32_t)weights->sizes[0];
	uint32_t inputs = (uint32_t)weights->sizes[1];
	const int8_t *row = weights->data;
	int32_t *folded;

	petite_call_require(call, outputs <= INT32_MAX / sizeof(folded[0]));
	folded = petite_call_reserve(call, outputs * (uint32_t)sizeof(folded[0]));
	if (folded == NULL) {
		return NULL;
	}
	for (uint32_t o = 0; o < outputs; o++) {
		uint32_t sum = 0;

		for (uint32_t i = 0; i < inputs; i++) {
			sum += (uint32_t)(int32_t)row[i];
		}
		folded[o] =
			(int32_t)((bias == NULL ? 0 : (uint32_t)petite_s32_at(bias, (int32_t)o)) +
				  (uint32_t)offset * sum);
		row += inputs;
	}
	return folded;
}

/** A list that must hold one number. */
static int32_t only_int(struct petite_call *call, uint32_t position)
{
	int32_t value;

	petite_call_require(call, petite_call_ints(call, position, &value, 1) == 1);
	return value;
}

/**
 * (input, weights [out][in], bias?, kernel_sum?, input offset, weights offset, output offset,
 * [multiplier], [shift], activation max, min, output). kernel_sum is the folded bias; files for
 * cores without Helium lack it.
 */
void petite_prepare_quantized_linear(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor weights;
	struct petite_load_tensor output;
	struct petite_linear_s8 params = {0};
	int32_t features;

	petite_call_input(call, 0, PETITE_S8, &input);
	petite_call_constant(call, 1, PETITE_S8, &weights);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	petite_call_require(call, weights.rank == 2 && weights.count > 0 && input.rank >= 1 &&
					  input.rank == output.rank && output.count > 0 &&
					  petite_is_contiguous(&weights) &&
					  petite_is_contiguous(&input) &&
					  petite_is_contiguous(&output));
	petite_call_require(call, petite_call_int(call, 5) == 0);
	if (petite_call_failed(call)) {
		return;
	}
	features = input.sizes[input.rank - 1];
	petite_call_require(call, features == weights.sizes[1] &&
					  output.sizes[output.rank - 1] == weights.sizes[0] &&
					  input.count / weights.sizes[1] ==
						  output.count / weights.sizes[0]);
	params.input = input.data;
	params.weights = weights.data;
	params.output = output.data;
	params.rows = output.count / weights.sizes[0];
	params.in_features = features;
	params.out_features = weights.sizes[0];
	params.output_offset = petite_call_offset(call, 6);
	params.multiplier = only_int(call, 7);
	params.shift = only_int(call, 8);
	petite_call_require(call, params.multiplier != INT32_MIN && params.shift >= -31 &&
					  params.shift <= 30);
	params.activation_max = petite_call_int8(call, 9);
	params.activation_min = petite_call_int8(call, 10);
	params.bias = petite_call_bias(call, 3, weights.sizes[0]);
	if (petite_call_is_none(call, 3)) {
		params.bias = fold_bias(call, petite_call_bias(call, 2, weights.sizes[0]), &weights,
					petite_call_offset(call, 4));
	}
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}

/** (lhs, lhs offset, rhs transposed, rhs offset, output offset, multiplier, shift, scratch, output)
 */
void petite_prepare_quantized_batch_matmul(struct petite_call *call)
{
	struct petite_load_tensor lhs;
	struct petite_load_tensor rhs;
	struct petite_load_tensor output;
	struct petite_batch_matmul_s8 params;

	petite_call_input(call, 0, PETITE_S8, &lhs);
	petite_call_input(call, 2, PETITE_S8, &rhs);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	petite_call_require(
		call, lhs.rank == 3 && rhs.rank == 3 && output.rank == 3 && lhs.count > 0 &&
			      rhs.count > 0 && output.count > 0 && petite_is_contiguous(&lhs) &&
			      petite_is_contiguous(&rhs) && petite_is_contiguous(&output));
	petite_call_require(call, lhs.sizes[0] == rhs.sizes[0] && lhs.sizes[0] == output.sizes[0] &&
					  lhs.sizes[2] == rhs.sizes[2] &&
					  lhs.sizes[1] == output.sizes[1] &&
					  rhs.sizes[1] == output.sizes[2]);
	params = (struct petite_batch_matmul_s8){
		.lhs = lhs.data,
		.rhs = rhs.data,
		.output = output.data,
		.batches = lhs.sizes[0],
		.rows = lhs.sizes[1],
		.columns = rhs.sizes[1],
		.inner = lhs.sizes[2],
		.lhs_offset = petite_call_offset(call, 1),
		.rhs_offset = petite_call_offset(call, 3),
		.output_offset = petite_call_offset(call, 4),
		.multiplier = petite_call_multiplier(call, 5),
		.shift = petite_call_shift(call, 6),
		.activation_min = INT8_MIN,
		.activation_max = INT8_MAX,
	};
	petite_call_step(
		call, params.shift > 0 ? petite_batch_matmul_s8_scalar : petite_call_kernel(call),
		&params, sizeof(params));
}
