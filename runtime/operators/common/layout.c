/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

uint32_t petite_element_size(uint8_t dtype)
{
	switch (dtype) {
	case PETITE_S16:
		return 2;
	case PETITE_S32:
	case PETITE_F32:
		return 4;
	case PETITE_S64:
		return 8;
	default:
		return 1;
	}
}

bool petite_same_sizes(const struct petite_load_tensor *a, const struct petite_load_tensor *b)
{
	if (a->rank != b->rank) {
		return false;
	}
	for (uint32_t k = 0; k < a->rank; k++) {
		if (a->sizes[k] != b->sizes[k]) {
			return false;
		}
	}
	return true;
}

/** Position of the next dimension in memory, from one on, whose size is not one. */
static uint32_t next_dimension(const struct petite_load_tensor *tensor, uint32_t position)
{
	while (position < tensor->rank && tensor->sizes[tensor->order[position]] == 1) {
		position++;
	}
	return position;
}

bool petite_same_layout(const struct petite_load_tensor *a, const struct petite_load_tensor *b)
{
	uint32_t i = 0;
	uint32_t k = 0;

	if (!petite_same_sizes(a, b)) {
		return false;
	}
	for (;;) {
		i = next_dimension(a, i);
		k = next_dimension(b, k);
		if (i == a->rank || k == b->rank) {
			return i == a->rank && k == b->rank;
		}
		if (a->order[i++] != b->order[k++]) {
			return false;
		}
	}
}

bool petite_same_order(const struct petite_load_tensor *a, const struct petite_load_tensor *b)
{
	for (uint32_t k = 0; k < a->rank; k++) {
		if (a->order[k] != b->order[k]) {
			return false;
		}
	}
	return true;
}

bool petite_is_innermost(const struct petite_load_tensor *tensor, uint32_t dimension)
{
	for (uint32_t k = tensor->rank; k > 0; k--) {
		if (tensor->order[k - 1] == dimension) {
			return true;
		}
		if (tensor->sizes[tensor->order[k - 1]] != 1) {
			return false;
		}
	}
	return false;
}

void petite_strides_of(const struct petite_load_tensor *tensor, int32_t *strides)
{
	int32_t stride = 1;

	for (uint32_t k = tensor->rank; k > 0; k--) {
		uint32_t dimension = tensor->order[k - 1];

		strides[dimension] = stride;
		stride *= tensor->sizes[dimension] > 1 ? tensor->sizes[dimension] : 1;
	}
}

struct petite_image petite_image_of(struct petite_call *call,
				    const struct petite_load_tensor *tensor, bool is_nhwc)
{
	const int32_t *sizes = tensor->sizes;
	struct petite_load_tensor wanted = *tensor;
	static const uint8_t channels_last[] = {0, 2, 3, 1};

	petite_call_require(call, tensor->rank == 4 && tensor->count > 0);
	for (uint8_t k = 0; k < 4; k++) {
		wanted.order[k] = is_nhwc ? k : channels_last[k];
	}
	petite_call_require(call, petite_same_layout(tensor, &wanted));
	if (petite_call_failed(call)) {
		return (struct petite_image){1, 1, 1, 1};
	}
	return is_nhwc ? (struct petite_image){sizes[0], sizes[1], sizes[2], sizes[3]}
		       : (struct petite_image){sizes[0], sizes[2], sizes[3], sizes[1]};
}

void petite_broadcast(struct petite_call *call, const struct petite_load_tensor *output,
		      const struct petite_load_tensor *input, int32_t *dims, int32_t *strides)
{
	uint32_t unused = PETITE_LOAD_RANK - output->rank;
	uint32_t missing = output->rank - input->rank;
	int32_t own[PETITE_LOAD_RANK] = {0};

	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		dims[k] = 1;
		strides[k] = 0;
	}
	petite_call_require(call, input->rank <= output->rank);
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(input, own);
	for (uint32_t k = 0; k < output->rank; k++) {
		uint32_t dimension = output->order[k];
		int32_t size = output->sizes[dimension];
		int32_t input_size = dimension < missing ? 1 : input->sizes[dimension - missing];

		dims[unused + k] = size;
		strides[unused + k] = input_size == 1 ? 0 : own[dimension - missing];
		petite_call_require(call, input_size == size || input_size == 1);
	}
}

uint32_t petite_as_dimension(struct petite_call *call, int32_t dimension, uint32_t rank)
{
	/* A single number has one dimension as far as counting goes. */
	rank = rank == 0 ? 1 : rank;
	petite_call_require(call, dimension >= -(int32_t)rank && dimension < (int32_t)rank);
	if (petite_call_failed(call)) {
		return 0;
	}
	return dimension < 0 ? (uint32_t)(dimension + (int32_t)rank) : (uint32_t)dimension;
}

uint32_t petite_call_dimension(struct petite_call *call, uint32_t position, uint32_t rank)
{
	return petite_as_dimension(call, petite_call_int(call, position), rank);
}

void petite_call_pair(struct petite_call *call, uint32_t position, int32_t least, int32_t *pair)
{
	uint32_t count = petite_call_ints(call, position, pair, 2);

	petite_call_require(call, count >= 1);
	if (count == 1) {
		pair[1] = pair[0];
	}
	petite_call_require(call, pair[0] >= least && pair[1] >= least);
	if (petite_call_failed(call)) {
		pair[0] = 1;
		pair[1] = 1;
	}
}
