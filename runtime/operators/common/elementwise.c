/* SPDX-License-Identifier: Apache-2.0 */
#include "elementwise.h"

#include <stddef.h>

#include "../../kernels/binary/binary.h"
#include "../../kernels/clamp/clamp_f32.h"
#include "../../kernels/unary/unary.h"
#include "../../kernels/where/where.h"
#include "layout.h"
#include "movement.h"
#include "number.h"

uint8_t petite_promote(uint8_t first, uint8_t second)
{
	/* Each holds the values of those before it; int8 and uint8 meet in int16. */
	static const uint8_t places[] = {
		[PETITE_BOOL] = 0, [PETITE_U8] = 1,  [PETITE_S8] = 2,  [PETITE_S16] = 3,
		[PETITE_S32] = 4,  [PETITE_S64] = 5, [PETITE_F32] = 6,
	};

	if ((first == PETITE_U8 && second == PETITE_S8) ||
	    (first == PETITE_S8 && second == PETITE_U8)) {
		return PETITE_S16;
	}
	return places[first] >= places[second] ? first : second;
}

/** Merge neighbouring dimensions that all inputs step through alike: rows get longer. */
static void merge(int32_t *dims, int32_t (*strides)[PETITE_LOAD_RANK], uint32_t inputs)
{
	uint32_t to = PETITE_LOAD_RANK - 1;

	for (uint32_t from = PETITE_LOAD_RANK - 1; from-- > 0;) {
		bool is_one = dims[from] == 1 || dims[to] == 1;
		bool is_same = true;

		for (uint32_t i = 0; i < inputs; i++) {
			is_same = is_same && strides[i][from] == strides[i][to] * dims[to];
		}
		if (!is_one && !is_same) {
			to--;
			dims[to] = dims[from];
			for (uint32_t i = 0; i < inputs; i++) {
				strides[i][to] = strides[i][from];
			}
			continue;
		}
		for (uint32_t i = 0; i < inputs; i++) {
			strides[i][to] = dims[to] == 1 ? strides[i][from] : strides[i][to];
		}
		dims[to] *= dims[from];
	}
	while (to > 0) {
		to--;
		dims[to] = 1;
		for (uint32_t i = 0; i < inputs; i++) {
			strides[i][to] = 0;
		}
	}
}

static void copy_numbers(int32_t *to, const int32_t *from)
{
	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		to[k] = from[k];
	}
}

void petite_call_unary(struct petite_call *call, petite_kernel kernel, uint32_t *used,
		       const struct petite_load_tensor *input,
		       const struct petite_load_tensor *output)
{
	struct petite_load_tensor moved = *input;
	struct petite_unary params = {.output = output->data, .count = output->count};

	petite_call_require(call, petite_same_sizes(input, output));
	petite_call_in_order(call, used, &moved, output->order);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	params.input = moved.data;
	petite_call_step(call, kernel, &params, sizeof(params));
}

void petite_call_clamp(struct petite_call *call, uint32_t *used, float low, float high,
		       const struct petite_load_tensor *input,
		       const struct petite_load_tensor *output)
{
	struct petite_load_tensor moved = *input;
	struct petite_clamp_f32 params = {
		.output = output->data,
		.count = output->count,
		.low = low,
		.high = high,
	};

	petite_call_require(call, petite_same_sizes(input, output) && low == low && high == high);
	petite_call_in_order(call, used, &moved, output->order);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	params.input = moved.data;
	petite_call_step(call, petite_clamp_f32_scalar, &params, sizeof(params));
}

void petite_call_binary(struct petite_call *call, petite_kernel kernel,
			const struct petite_load_tensor *first,
			const struct petite_load_tensor *second,
			const struct petite_load_tensor *output)
{
	struct petite_binary params = {
		.input1 = first->data,
		.input2 = second->data,
		.output = output->data,
	};
	int32_t strides[2][PETITE_LOAD_RANK];

	petite_broadcast(call, output, first, params.dims, strides[0]);
	petite_broadcast(call, output, second, params.dims, strides[1]);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	merge(params.dims, strides, 2);
	copy_numbers(params.stride1, strides[0]);
	copy_numbers(params.stride2, strides[1]);
	petite_call_step(call, kernel, &params, sizeof(params));
}

void petite_call_where(struct petite_call *call, const struct petite_load_tensor *condition,
		       const struct petite_load_tensor *first,
		       const struct petite_load_tensor *second,
		       const struct petite_load_tensor *output)
{
	struct petite_where params = {
		.condition = condition->data,
		.input1 = first->data,
		.input2 = second->data,
		.output = output->data,
		.element_size = (int32_t)petite_element_size(output->dtype),
	};
	int32_t strides[3][PETITE_LOAD_RANK];

	petite_broadcast(call, output, condition, params.dims, strides[0]);
	petite_broadcast(call, output, first, params.dims, strides[1]);
	petite_broadcast(call, output, second, params.dims, strides[2]);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	merge(params.dims, strides, 3);
	copy_numbers(params.stride0, strides[0]);
	copy_numbers(params.stride1, strides[1]);
	copy_numbers(params.stride2, strides[2]);
	petite_call_step(call, petite_where_scalar, &params, sizeof(params));
}

void petite_call_as(struct petite_call *call, uint32_t *used, uint8_t dtype, petite_casts casts,
		    struct petite_load_tensor *tensor)
{
	struct petite_load_tensor converted = *tensor;

	if (petite_call_failed(call) || tensor->dtype == dtype) {
		return;
	}
	converted.dtype = dtype;
	petite_call_scratch_tensor(call, used, &converted);
	petite_call_require(call, casts[tensor->dtype] != NULL);
	petite_call_unary(call, casts[tensor->dtype], used, tensor, &converted);
	*tensor = converted;
}

void petite_call_operand(struct petite_call *call, uint32_t position, uint8_t dtype,
			 struct petite_load_tensor *operand)
{
	if (petite_call_is_tensor(call, position)) {
		petite_call_input(call, position, 0, operand);
	} else {
		petite_call_number_tensor(call, position, dtype, operand);
	}
}

struct petite_load_tensor petite_call_between(struct petite_call *call, uint32_t *used,
					      uint8_t dtype,
					      const struct petite_load_tensor *output)
{
	struct petite_load_tensor between = *output;

	between.dtype = dtype;
	petite_call_scratch_tensor(call, used, &between);
	return between;
}
