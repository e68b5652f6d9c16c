/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <stddef.h>

#include "../../kernels/offsets/offsets.h"
#include "../../kernels/put/put.h"
#include "../../kernels/take/take.h"
#include "layout.h"
#include "movement.h"

/** Sizes of two tensors that are broadcast together, contiguous. */
static void broadcast_sizes(struct petite_call *call, const struct petite_load_tensor *a,
			    const struct petite_load_tensor *b, struct petite_load_tensor *result)
{
	const struct petite_load_tensor *longer = a->rank >= b->rank ? a : b;
	const struct petite_load_tensor *shorter = a->rank >= b->rank ? b : a;
	uint32_t missing = (uint32_t)longer->rank - shorter->rank;

	*result = *longer;
	for (uint32_t k = 0; k < shorter->rank; k++) {
		if (result->sizes[missing + k] == 1) {
			result->sizes[missing + k] = shorter->sizes[k];
		}
	}
	petite_set_contiguous(result);
	petite_call_recount(call, result);
}

void petite_call_offsets(struct petite_call *call, uint32_t *used,
			 const struct petite_load_tensor *index, int32_t size, int32_t scale,
			 bool from_end, struct petite_load_tensor *base, bool is_first)
{
	struct petite_offsets params = {.size = size, .scale = scale, .from_end = from_end};
	struct petite_load_tensor sum;

	petite_call_require(call, index->dtype == PETITE_S32 || index->dtype == PETITE_S64);
	petite_call_require(call, size >= 1);
	broadcast_sizes(call, index, is_first ? index : base, &sum);
	sum.dtype = PETITE_S32;
	petite_call_scratch_tensor(call, used, &sum);
	petite_broadcast(call, &sum, index, params.dims, params.index_strides);
	if (!is_first) {
		petite_broadcast(call, &sum, base, params.dims, params.base_strides);
		params.base = base->data;
	}
	*base = sum;
	if (petite_call_failed(call) || sum.count == 0) {
		return;
	}
	params.index = index->data;
	params.output = sum.data;
	petite_call_step(call,
			 index->dtype == PETITE_S64 ? petite_offsets_s64_s32_scalar
						    : petite_offsets_s32_scalar,
			 &params, sizeof(params));
}

void petite_places_add(struct petite_call *call, struct petite_places *places, int32_t size,
		       int32_t step)
{
	petite_call_require(call, places->rank < PETITE_LOAD_RANK);
	if (petite_call_failed(call)) {
		return;
	}
	places->shape[places->rank] = size;
	places->steps[places->rank] = step;
	places->offset_strides[places->rank] = 0;
	places->rank++;
}

void petite_places_add_offsets(struct petite_call *call, struct petite_places *places,
			       const struct petite_load_tensor *offsets)
{
	int32_t strides[PETITE_LOAD_RANK] = {0};

	petite_call_require(call, places->rank + offsets->rank <= PETITE_LOAD_RANK);
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(offsets, strides);
	places->offsets = offsets->data;
	for (uint32_t k = 0; k < offsets->rank; k++) {
		petite_places_add(call, places, offsets->sizes[k], 0);
		places->offset_strides[places->rank - 1] = strides[k];
	}
}

/** Fail where a place may be behind so many elements. Gives the number of places. */
static int32_t check(struct petite_call *call, const struct petite_places *places, int32_t count)
{
	int64_t furthest = places->reach;
	int64_t number = 1;

	for (uint32_t k = 0; k < places->rank; k++) {
		number *= places->shape[k];
		furthest += (int64_t)(places->shape[k] - 1) * places->steps[k];
		petite_call_require(call, number <= INT32_MAX && places->steps[k] >= 0 &&
						  furthest <= INT32_MAX);
		if (petite_call_failed(call)) {
			return 0;
		}
	}
	petite_call_require(call, places->reach >= 0 && (number == 0 || furthest < count));
	return petite_call_failed(call) ? 0 : (int32_t)number;
}

/** Numbers of so many dimensions behind those that are not used. */
static void pad(const int32_t *from, uint32_t rank, int32_t filling, int32_t *to)
{
	uint32_t unused = PETITE_LOAD_RANK - rank;

	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		to[k] = k < unused ? filling : from[k - unused];
	}
}

void petite_call_take(struct petite_call *call, const struct petite_load_tensor *input,
		      const struct petite_places *places, const struct petite_load_tensor *output)
{
	struct petite_take params = {
		.input = input->data,
		.offsets = places->offsets,
		.output = output->data,
		.element_size = (int32_t)petite_element_size(input->dtype),
	};
	int32_t number = check(call, places, input->count);

	petite_call_require(call, number == output->count && input->dtype == output->dtype);
	if (petite_call_failed(call) || number == 0) {
		return;
	}
	pad(places->shape, places->rank, 1, params.dims);
	pad(places->steps, places->rank, 0, params.strides);
	pad(places->offset_strides, places->rank, 0, params.offset_strides);
	petite_call_step(call, petite_take_scalar, &params, sizeof(params));
}

void petite_call_put(struct petite_call *call, petite_kernel kernel,
		     const struct petite_load_tensor *target,
		     const struct petite_load_tensor *source, const struct petite_places *places,
		     const struct petite_load_tensor *output)
{
	struct petite_put params = {
		.input = target->data,
		.source = source->data,
		.offsets = places->offsets,
		.output = output->data,
		.element_size = (int32_t)petite_element_size(target->dtype),
		.count = target->count,
	};
	struct petite_load_tensor shape = {.rank = (uint8_t)places->rank};
	int32_t dims[PETITE_LOAD_RANK];

	check(call, places, target->count);
	petite_call_require(call, petite_same_sizes(target, output) &&
					  target->dtype == output->dtype &&
					  source->dtype == target->dtype);
	for (uint32_t k = 0; k < places->rank; k++) {
		shape.sizes[k] = places->shape[k];
	}
	petite_set_contiguous(&shape);
	petite_broadcast(call, &shape, source, dims, params.source_strides);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	pad(places->shape, places->rank, 1, params.dims);
	pad(places->steps, places->rank, 0, params.strides);
	pad(places->offset_strides, places->rank, 0, params.offset_strides);
	petite_call_step(call, kernel, &params, sizeof(params));
}
