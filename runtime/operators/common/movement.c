/* SPDX-License-Identifier: Apache-2.0 */
#include "movement.h"

#include <string.h>

#include "../../kernels/copy_blocks/copy_blocks.h"
#include "../../kernels/transpose/transpose.h"
#include "layout.h"

void petite_walk_add(struct petite_call *call, struct petite_walk *walk, int32_t size,
		     int32_t stride)
{
	petite_call_require(call, walk->rank < PETITE_WALK_RANK);
	if (petite_call_failed(call)) {
		return;
	}
	walk->dims[walk->rank] = size;
	walk->strides[walk->rank] = stride;
	walk->rank++;
}

struct petite_walk petite_walk_over(struct petite_call *call,
				    const struct petite_load_tensor *output, int32_t start,
				    const int32_t *strides)
{
	struct petite_walk walk = {.start = start};

	for (uint32_t k = 0; k < output->rank; k++) {
		petite_walk_add(call, &walk, output->sizes[output->order[k]],
				strides[output->order[k]]);
	}
	return walk;
}

/** Leave out what has one element, and merge neighbours that are one dimension in memory. */
static struct petite_walk merged(const struct petite_walk *walk)
{
	struct petite_walk result = {.start = walk->start};

	for (uint32_t k = 0; k < walk->rank; k++) {
		uint32_t last = result.rank - 1u;

		if (walk->dims[k] == 1) {
			continue;
		}
		if (result.rank > 0 &&
		    result.strides[last] == (int64_t)walk->strides[k] * walk->dims[k]) {
			result.dims[last] *= walk->dims[k];
			result.strides[last] = walk->strides[k];
		} else {
			result.dims[result.rank] = walk->dims[k];
			result.strides[result.rank] = walk->strides[k];
			result.rank++;
		}
	}
	if (result.rank == 0) {
		result.rank = 1;
		result.dims[0] = 1;
		result.strides[0] = 1;
	}
	return result;
}

/** Fail unless all elements of a walk lie among so many, and are as many as the output's. */
static void check(struct petite_call *call, const struct petite_walk *walk, int32_t inputs,
		  int32_t outputs)
{
	int64_t low = walk->start;
	int64_t high = walk->start;
	int64_t count = 1;

	for (uint32_t k = 0; k < walk->rank && !petite_call_failed(call); k++) {
		int64_t reach = (int64_t)(walk->dims[k] - 1) * walk->strides[k];

		low += reach < 0 ? reach : 0;
		high += reach > 0 ? reach : 0;
		count *= walk->dims[k];
		petite_call_require(call, walk->dims[k] >= 1 && count <= INT32_MAX && low >= 0 &&
						  high < inputs);
	}
	petite_call_require(call, low >= 0 && high < inputs && count == outputs);
}

/** Runs of neighbours, equally spaced. */
static void move_blocks(struct petite_call *call, const void *input, void *output,
			const struct petite_walk *walk, int32_t element_size)
{
	const int32_t block = walk->dims[walk->rank - 1] * element_size;
	const struct petite_copy_blocks params = {
		.input = input,
		.output = output,
		.count = walk->rank == 2 ? walk->dims[0] : 1,
		.block_size = block,
		.input_stride = walk->rank == 2 ? walk->strides[0] * element_size : block,
		.output_stride = block,
	};

	petite_call_step(call, petite_copy_blocks_scalar, &params, sizeof(params));
}

void petite_call_walk(struct petite_call *call, const struct petite_load_tensor *input,
		      const struct petite_load_tensor *output, const struct petite_walk *walk)
{
	const int32_t element_size = (int32_t)petite_element_size(input->dtype);
	struct petite_walk less;
	struct petite_transpose params = {.output = output->data, .element_size = element_size};
	uint32_t unused;

	petite_call_require(call, input->dtype == output->dtype);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	check(call, walk, input->count, output->count);
	less = merged(walk);
	petite_call_require(call, less.rank <= PETITE_LOAD_RANK);
	if (petite_call_failed(call)) {
		return;
	}
	params.input = petite_behind(input->data, (uint32_t)(less.start * element_size));
	if (less.rank <= 2 && less.strides[less.rank - 1] == 1) {
		move_blocks(call, params.input, output->data, &less, element_size);
		return;
	}
	unused = PETITE_LOAD_RANK - less.rank;
	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		params.dims[k] = k < unused ? 1 : less.dims[k - unused];
		params.strides[k] = k < unused ? 0 : less.strides[k - unused];
	}
	petite_call_step(call, petite_transpose_scalar, &params, sizeof(params));
}

void petite_call_expand(struct petite_call *call, const struct petite_load_tensor *input,
			const struct petite_load_tensor *output)
{
	struct petite_walk walk = {.rank = PETITE_LOAD_RANK};

	petite_broadcast(call, output, input, walk.dims, walk.strides);
	petite_call_walk(call, input, output, &walk);
}

void *petite_call_more_scratch(struct petite_call *call, uint32_t *used, uint32_t size)
{
	uint32_t start = *used;

	petite_call_require(call, size <= INT32_MAX - 15 - start);
	if (petite_call_failed(call)) {
		return NULL;
	}
	*used = start + ((size + 15) & ~15u);
	return petite_behind(petite_call_scratch(call, *used), start);
}

void petite_call_scratch_tensor(struct petite_call *call, uint32_t *used,
				struct petite_load_tensor *tensor)
{
	uint64_t size = (uint64_t)tensor->count * petite_element_size(tensor->dtype);

	petite_call_require(call, size <= INT32_MAX);
	tensor->is_constant = false;
	tensor->data = petite_call_more_scratch(call, used, (uint32_t)size);
}

void petite_set_contiguous(struct petite_load_tensor *tensor)
{
	for (uint8_t k = 0; k < PETITE_LOAD_RANK; k++) {
		tensor->order[k] = k;
	}
}

void petite_call_recount(struct petite_call *call, struct petite_load_tensor *tensor)
{
	int64_t count = 1;
	int64_t reach = 1;

	for (uint32_t k = 0; k < tensor->rank && !petite_call_failed(call); k++) {
		count *= tensor->sizes[k];
		/* Strides must fit even where another dimension is 0. */
		reach *= tensor->sizes[k] > 1 ? tensor->sizes[k] : 1;
		petite_call_require(call, tensor->sizes[k] >= 0 && reach <= INT32_MAX / 8);
	}
	tensor->count = petite_call_failed(call) ? 0 : (int32_t)count;
}

void petite_call_in_order(struct petite_call *call, uint32_t *used,
			  struct petite_load_tensor *tensor, const uint8_t *order)
{
	struct petite_load_tensor moved = *tensor;

	memcpy(moved.order, order, moved.rank);
	if (petite_same_layout(tensor, &moved)) {
		/* The same bytes: only the order of dimensions of size one differs. */
		*tensor = moved;
		return;
	}
	petite_call_scratch_tensor(call, used, &moved);
	petite_call_expand(call, tensor, &moved);
	*tensor = moved;
}

void petite_call_contiguous(struct petite_call *call, uint32_t *used,
			    struct petite_load_tensor *tensor)
{
	struct petite_load_tensor moved = *tensor;

	petite_set_contiguous(&moved);
	petite_call_in_order(call, used, tensor, moved.order);
}

struct petite_load_tensor petite_call_target(struct petite_call *call, uint32_t *used,
					     const struct petite_load_tensor *output)
{
	struct petite_load_tensor target = *output;

	petite_set_contiguous(&target);
	if (!petite_same_layout(output, &target)) {
		petite_call_scratch_tensor(call, used, &target);
	}
	return target;
}

void petite_call_deliver(struct petite_call *call, const struct petite_load_tensor *computed,
			 const struct petite_load_tensor *output)
{
	if (computed->data != output->data) {
		petite_call_expand(call, computed, output);
	}
}
