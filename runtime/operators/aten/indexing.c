/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/binary/binary.h"
#include "../../kernels/masked_scatter/masked_scatter.h"
#include "../../kernels/put/put.h"
#include "../../kernels/topk/topk.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/places.h"
#include "aten.h"

/** A single number as a tensor of one element. */
static void at_least_one_dimension(struct petite_load_tensor *tensor)
{
	if (tensor->rank == 0) {
		tensor->rank = 1;
		tensor->sizes[0] = 1;
		petite_set_contiguous(tensor);
	}
}

/** Indices, which must be there: one for each dimension, NULL for a whole one. */
struct indices {
	struct petite_load_tensor tensors[PETITE_LOAD_RANK];
	bool is_given[PETITE_LOAD_RANK];
	uint32_t count;
};

/** The first dimension that has an index, one behind the last, and how many have one. */
struct chosen {
	uint32_t first;
	uint32_t end;
	uint32_t count;
};

static struct chosen chosen_of(const struct indices *indices)
{
	struct chosen chosen = {0};

	for (uint32_t k = 0; k < indices->count; k++) {
		if (indices->is_given[k]) {
			chosen.first = chosen.count == 0 ? k : chosen.first;
			chosen.end = k + 1;
			chosen.count++;
		}
	}
	return chosen;
}

/**
 * What PyTorch's source[indices] means. The dimensions of the broadcast indices come where the
 * indices are, or first where these are not neighbours.
 */
static void find_places(struct petite_call *call, uint32_t *used,
			const struct petite_load_tensor *source, const struct indices *indices,
			bool from_end, struct petite_places *places)
{
	struct petite_load_tensor base = {0};
	struct chosen chosen = chosen_of(indices);
	int32_t own[PETITE_LOAD_RANK] = {0};
	bool is_first = true;
	uint32_t before;

	*places = (struct petite_places){0};
	petite_call_require(call, indices->count <= source->rank && chosen.count > 0);
	petite_strides_of(source, own);
	before = chosen.end - chosen.first == chosen.count ? chosen.first : 0;
	for (uint32_t k = 0; k < before; k++) {
		petite_places_add(call, places, source->sizes[k], own[k]);
	}
	for (uint32_t k = chosen.first; k < chosen.end && !petite_call_failed(call); k++) {
		if (indices->is_given[k]) {
			petite_call_offsets(call, used, &indices->tensors[k], source->sizes[k],
					    own[k], from_end, &base, is_first);
			is_first = false;
			places->reach += (source->sizes[k] - 1) * own[k];
		}
	}
	petite_places_add_offsets(call, places, &base);
	for (uint32_t k = before; k < source->rank && !petite_call_failed(call); k++) {
		if (k >= indices->count || !indices->is_given[k]) {
			petite_places_add(call, places, source->sizes[k], own[k]);
		}
	}
}

/** Read elements to an output of any sizes and order. */
static void take_to(struct petite_call *call, uint32_t *used,
		    const struct petite_load_tensor *source, const struct petite_places *places,
		    const struct petite_load_tensor *output)
{
	struct petite_load_tensor target = petite_call_target(call, used, output);

	petite_call_take(call, source, places, &target);
	petite_call_deliver(call, &target, output);
}

/** Take the call's first argument: contiguous, of one dimension at least. */
static void take_source(struct petite_call *call, uint32_t *used, struct petite_load_tensor *source)
{
	petite_call_input(call, 0, 0, source);
	petite_call_contiguous(call, used, source);
	at_least_one_dimension(source);
}

/** (table, indices, padding index, scale gradients, sparse, output): rows of the table */
void petite_prepare_embedding(struct petite_call *call)
{
	struct petite_load_tensor table;
	struct petite_load_tensor output;
	struct indices indices = {.is_given = {true}, .count = 1};
	struct petite_places places;
	uint32_t used = 0;

	take_source(call, &used, &table);
	petite_call_input(call, 1, 0, &indices.tensors[0]);
	petite_call_output(call, petite_call_argument_count(call) - 1, table.dtype, &output);
	find_places(call, &used, &table, &indices, false, &places);
	take_to(call, &used, &table, &places, &output);
}

/** (x, dim, indices, output) */
void petite_prepare_index_select(struct petite_call *call)
{
	struct petite_load_tensor source;
	struct petite_load_tensor output;
	struct indices indices = {0};
	struct petite_places places;
	uint32_t dimension;
	uint32_t used = 0;

	take_source(call, &used, &source);
	dimension = petite_call_dimension(call, 1, source.rank);
	petite_call_input(call, 2, 0, &indices.tensors[dimension]);
	at_least_one_dimension(&indices.tensors[dimension]);
	indices.is_given[dimension] = true;
	indices.count = dimension + 1;
	petite_call_output(call, petite_call_argument_count(call) - 1, source.dtype, &output);
	find_places(call, &used, &source, &indices, false, &places);
	take_to(call, &used, &source, &places, &output);
}

/** Take a list of optional indices. Masks are not among them. */
static void take_indices(struct petite_call *call, uint32_t position, struct indices *indices)
{
	*indices = (struct indices){.count = petite_call_list(call, position)};
	petite_call_require(call, indices->count <= PETITE_LOAD_RANK);
	for (uint32_t k = 0; k < indices->count && !petite_call_failed(call); k++) {
		uint32_t item = petite_call_item(position, k);

		if (!petite_call_is_none(call, item)) {
			petite_call_input(call, item, 0, &indices->tensors[k]);
			indices->is_given[k] = true;
		}
	}
}

/** (x, indices, output): x[indices]; negative ones count from the end */
void petite_prepare_index(struct petite_call *call)
{
	struct petite_load_tensor source;
	struct petite_load_tensor output;
	struct indices indices;
	struct petite_places places;
	uint32_t used = 0;

	take_source(call, &used, &source);
	take_indices(call, 1, &indices);
	petite_call_output(call, petite_call_argument_count(call) - 1, source.dtype, &output);
	if (petite_call_failed(call)) {
		return;
	}
	if (chosen_of(&indices).count == 0) {
		petite_call_expand(call, &source, &output);
		return;
	}
	find_places(call, &used, &source, &indices, true, &places);
	take_to(call, &used, &source, &places, &output);
}

/* --- elements of each place along one dimension -------------------------------------------------
 */

/** For each element of the index: its own place, but along a dimension where it says. */
static void find_along(struct petite_call *call, uint32_t *used,
		       const struct petite_load_tensor *value, uint32_t dimension,
		       const struct petite_load_tensor *index, struct petite_places *places)
{
	struct petite_load_tensor base = {0};
	int32_t own[PETITE_LOAD_RANK] = {0};

	*places = (struct petite_places){0};
	petite_call_require(call, index->rank == value->rank);
	for (uint32_t k = 0; k < value->rank && !petite_call_failed(call); k++) {
		petite_call_require(call, k == dimension || index->sizes[k] <= value->sizes[k]);
	}
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(value, own);
	petite_call_offsets(call, used, index, value->sizes[dimension], own[dimension], false,
			    &base, true);
	petite_places_add_offsets(call, places, &base);
	for (uint32_t k = 0; k < places->rank; k++) {
		places->steps[k] = k == dimension ? 0 : own[k];
	}
	places->reach = (value->sizes[dimension] - 1) * own[dimension];
}

/** (x, dim, index, sparse gradients, output) */
void petite_prepare_gather(struct petite_call *call)
{
	struct petite_load_tensor source;
	struct petite_load_tensor index;
	struct petite_load_tensor output;
	struct petite_places places;
	uint32_t dimension;
	uint32_t used = 0;

	take_source(call, &used, &source);
	petite_call_input(call, 2, 0, &index);
	at_least_one_dimension(&index);
	petite_call_output(call, petite_call_argument_count(call) - 1, source.dtype, &output);
	dimension = petite_call_dimension(call, 1, source.rank);
	petite_call_require(call, output.count == index.count);
	if (index.count == 0) {
		return;
	}
	find_along(call, &used, &source, dimension, &index, &places);
	take_to(call, &used, &source, &places, &output);
}

/** The elements of a source that an index has partners in. */
static void cut_to(struct petite_call *call, uint32_t *used, const struct petite_load_tensor *index,
		   struct petite_load_tensor *source)
{
	struct petite_load_tensor part = *source;
	int32_t strides[PETITE_LOAD_RANK] = {0};
	struct petite_walk walk;

	at_least_one_dimension(source);
	petite_call_require(call, source->rank == index->rank);
	if (petite_call_failed(call) || petite_same_sizes(source, index)) {
		return;
	}
	petite_strides_of(source, strides);
	part = *source;
	petite_set_contiguous(&part);
	for (uint32_t k = 0; k < index->rank; k++) {
		petite_call_require(call, index->sizes[k] <= source->sizes[k]);
		part.sizes[k] = index->sizes[k];
	}
	petite_call_recount(call, &part);
	petite_call_scratch_tensor(call, used, &part);
	walk = petite_walk_over(call, &part, 0, strides);
	petite_call_walk(call, source, &part, &walk);
	*source = part;
}

/** Put elements, replacing or adding, to an output that may have another order. */
static void put_to(struct petite_call *call, uint32_t *used, petite_kernel kernel,
		   const struct petite_load_tensor *target, const struct petite_load_tensor *source,
		   const struct petite_places *places, const struct petite_load_tensor *output)
{
	struct petite_load_tensor computed = petite_call_target(call, used, output);
	struct petite_load_tensor line = computed;

	at_least_one_dimension(&line);
	petite_call_put(call, kernel, target, source, places, &line);
	petite_call_deliver(call, &computed, output);
}

/** (x, dim, index, source or number, output) */
static void scatter(struct petite_call *call, petite_kernel kernel)
{
	struct petite_load_tensor target;
	struct petite_load_tensor index;
	struct petite_load_tensor source;
	struct petite_load_tensor output;
	struct petite_places places;
	uint32_t dimension;
	uint32_t used = 0;

	take_source(call, &used, &target);
	petite_call_input(call, 2, 0, &index);
	at_least_one_dimension(&index);
	petite_call_operand(call, 3, target.dtype, &source);
	petite_call_output(call, petite_call_argument_count(call) - 1, target.dtype, &output);
	dimension = petite_call_dimension(call, 1, target.rank);
	if (petite_call_failed(call)) {
		return;
	}
	if (index.count == 0) {
		petite_call_require(call, target.count == output.count);
		target.rank = output.rank;
		petite_call_expand(call, &target, &output);
		return;
	}
	if (petite_call_is_tensor(call, 3)) {
		cut_to(call, &used, &index, &source);
	}
	find_along(call, &used, &target, dimension, &index, &places);
	put_to(call, &used, kernel, &target, &source, &places, &output);
}

void petite_prepare_scatter(struct petite_call *call)
{
	scatter(call, petite_put_scalar);
}

/** The same; the entry's kernel adds. */
void petite_prepare_scatter_add(struct petite_call *call)
{
	scatter(call, petite_call_kernel(call));
}

/* --- values where indices say -------------------------------------------------------------------
 */

/** Values without leading dimensions of one that the places lack. */
static void drop_leading(struct petite_load_tensor *values, uint32_t rank)
{
	uint32_t dropped = 0;

	while (values->rank - dropped > rank && values->sizes[dropped] == 1) {
		dropped++;
	}
	for (uint32_t k = 0; dropped > 0 && k + dropped < values->rank; k++) {
		values->sizes[k] = values->sizes[k + dropped];
	}
	values->rank = (uint8_t)(values->rank - dropped);
}

/** A mask, computed or constant, alone in a list of indices: where it is; or -1. */
static int32_t only_mask(struct petite_call *call, struct petite_load_tensor *mask)
{
	uint32_t count = petite_call_list(call, 1);
	int32_t place = -1;

	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		if (petite_call_is_none(call, petite_call_item(1, k))) {
			continue;
		}
		petite_call_tensor(call, petite_call_item(1, k), mask);
		if (place >= 0 || (mask->dtype != PETITE_BOOL && mask->dtype != PETITE_U8)) {
			return -1;
		}
		place = (int32_t)k;
	}
	return place;
}

/** One index_put: (x, indices, values, accumulate, output). */
struct placing {
	struct petite_load_tensor target;
	struct petite_load_tensor values;
	struct petite_load_tensor output;
	uint32_t used;
	/** Whether x itself becomes the result. */
	bool is_in_place;
};

/** Kernels of one element type. */
struct adding {
	petite_kernel put;
	petite_kernel add;
};

/** Take what is read and written, after all that is only read. */
static void take_target(struct petite_call *call, struct placing *own)
{
	uint32_t last = petite_call_argument_count(call) - 1;

	if (own->is_in_place) {
		struct petite_load_tensor result;

		petite_call_in_place(call, 0, own->values.dtype, &own->output);
		petite_call_tensor(call, last, &result);
		petite_call_require(call, result.data == own->output.data && !result.is_constant &&
						  petite_same_layout(&result, &own->output));
		own->target = own->output;
		petite_call_scratch_tensor(call, &own->used, &own->target);
		petite_call_expand(call, &own->output, &own->target);
		return;
	}
	petite_call_input(call, 0, own->values.dtype, &own->target);
	petite_call_output(call, last, own->values.dtype, &own->output);
}

/** x[mask] = values, where the same values go to every marked place. */
static void put_where(struct petite_call *call, struct placing *own, uint32_t at, petite_kernel add)
{
	struct petite_load_tensor mask;
	struct petite_load_tensor values = own->values;
	uint32_t rank;
	uint32_t missing;

	petite_call_input(call, petite_call_item(1, at), 0, &mask);
	take_target(call, own);
	petite_call_contiguous(call, &own->used, &mask);
	petite_call_contiguous(call, &own->used, &values);
	rank = mask.rank;
	petite_call_require(call, rank >= 1 && at + rank <= own->target.rank &&
					  values.rank <= own->target.rank - rank + 1);
	if (petite_call_failed(call)) {
		return;
	}
	/* The values have one dimension for all that the mask marks, of size one. */
	missing = own->target.rank - rank + 1 - values.rank;
	petite_call_require(call, at < missing || values.sizes[at - missing] == 1);
	if (at >= missing) {
		struct petite_load_tensor spread = values;
		uint32_t here = at - missing;

		spread.rank = (uint8_t)(values.rank + rank - 1);
		for (uint32_t k = 0; k < spread.rank; k++) {
			spread.sizes[k] = k < here          ? values.sizes[k]
					  : k < here + rank ? 1
							    : values.sizes[k - rank + 1];
		}
		petite_set_contiguous(&spread);
		values = spread;
	}
	for (uint32_t k = 0; k < rank; k++) {
		petite_call_require(call, mask.sizes[k] == own->target.sizes[at + k]);
	}
	for (uint32_t k = rank; at + k < own->target.rank; k++) {
		mask.sizes[k] = 1;
	}
	mask.rank = (uint8_t)(own->target.rank - at);
	petite_set_contiguous(&mask);
	if (add != NULL) {
		struct petite_load_tensor sum =
			petite_call_between(call, &own->used, own->target.dtype, &own->output);

		petite_call_binary(call, add, &own->target, &values, &sum);
		values = sum;
	}
	petite_call_where(call, &mask, &values, &own->target, &own->output);
}

/** All dimensions are whole. */
static void put_everywhere(struct petite_call *call, struct placing *own, petite_kernel add)
{
	if (add != NULL) {
		petite_call_binary(call, add, &own->target, &own->values, &own->output);
	} else {
		petite_call_expand(call, &own->values, &own->output);
	}
}

/** (x, indices, values, accumulate, output): what is at indices becomes values, or they are added
 */
static void index_put(struct petite_call *call, bool is_in_place, const struct adding *kernels)
{
	struct placing own = {.is_in_place = is_in_place};
	bool accumulates = petite_call_int(call, 3) != 0;
	petite_kernel add = accumulates ? kernels->add : NULL;
	struct petite_load_tensor mask;
	struct indices indices;
	struct petite_places places;
	int32_t at = only_mask(call, &mask);

	petite_call_input(call, 2, 0, &own.values);
	if (at >= 0) {
		put_where(call, &own, (uint32_t)at, add);
		return;
	}
	take_indices(call, 1, &indices);
	take_target(call, &own);
	if (petite_call_failed(call)) {
		return;
	}
	if (chosen_of(&indices).count == 0) {
		put_everywhere(call, &own, add);
		return;
	}
	petite_call_contiguous(call, &own.used, &own.target);
	petite_call_contiguous(call, &own.used, &own.values);
	find_places(call, &own.used, &own.target, &indices, true, &places);
	drop_leading(&own.values, places.rank);
	put_to(call, &own.used, accumulates ? kernels->put : petite_put_scalar, &own.target,
	       &own.values, &places, &own.output);
}

#define DEFINE_INDEX_PUT(type, add)                                                                \
	static const struct adding adding_##type = {petite_put_add_##type##_scalar, add};          \
	void petite_prepare_index_put_##type(struct petite_call *call)                             \
	{                                                                                          \
		index_put(call, false, &adding_##type);                                            \
	}                                                                                          \
	void petite_prepare_index_put_in_place_##type(struct petite_call *call)                    \
	{                                                                                          \
		index_put(call, true, &adding_##type);                                             \
	}

DEFINE_INDEX_PUT(s8, petite_binary_add_s8_scalar)
DEFINE_INDEX_PUT(s16, petite_binary_add_s16_scalar)
DEFINE_INDEX_PUT(s32, petite_binary_add_s32_scalar)
DEFINE_INDEX_PUT(s64, petite_binary_add_s64_scalar)
DEFINE_INDEX_PUT(u8, petite_binary_add_u8_scalar)
DEFINE_INDEX_PUT(f32, petite_binary_add_f32_scalar)
DEFINE_INDEX_PUT(bool, petite_binary_or_bool_scalar)

/* --- masks, and the best of a row ---------------------------------------------------------------
 */

/** (x, mask, source, output): what is marked is replaced, one after the other */
void petite_prepare_masked_scatter(struct petite_call *call)
{
	struct petite_load_tensor target;
	struct petite_load_tensor mask;
	struct petite_load_tensor source;
	struct petite_load_tensor output;
	struct petite_load_tensor computed;
	struct petite_masked_scatter params = {0};
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &target);
	petite_call_input(call, 1, 0, &mask);
	petite_call_input(call, 2, target.dtype, &source);
	petite_call_output(call, petite_call_argument_count(call) - 1, target.dtype, &output);
	petite_call_require(call, mask.dtype == PETITE_BOOL || mask.dtype == PETITE_U8);
	petite_call_contiguous(call, &used, &source);
	/* Elements are taken in logical order. */
	computed = petite_call_target(call, &used, &output);
	petite_broadcast(call, &computed, &target, params.dims, params.strides);
	petite_broadcast(call, &computed, &mask, params.dims, params.mask_strides);
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	params.input = target.data;
	params.mask = mask.data;
	params.source = source.data;
	params.output = computed.data;
	params.element_size = (int32_t)petite_element_size(target.dtype);
	params.source_count = source.count;
	petite_call_step(call, petite_masked_scatter_scalar, &params, sizeof(params));
	petite_call_deliver(call, &computed, &output);
}

/** Move a dimension to be the last one; gives the strides of the others and of it. */
static void bring_last(const struct petite_load_tensor *tensor, uint32_t dimension,
		       struct petite_load_tensor *result, int32_t *strides)
{
	int32_t own[PETITE_LOAD_RANK] = {0};
	uint32_t at = 0;

	*result = *tensor;
	petite_strides_of(tensor, own);
	for (uint32_t k = 0; k < tensor->rank; k++) {
		if (k != dimension) {
			strides[at] = own[k];
			result->sizes[at++] = tensor->sizes[k];
		}
	}
	strides[at] = own[dimension];
	result->sizes[at] = tensor->sizes[dimension];
	petite_set_contiguous(result);
}

/** Move the last dimension of what was computed to where the output has it. */
static void send_back(struct petite_call *call, const struct petite_load_tensor *computed,
		      uint32_t dimension, const struct petite_load_tensor *output)
{
	int32_t own[PETITE_LOAD_RANK] = {0};
	int32_t strides[PETITE_LOAD_RANK] = {0};
	struct petite_walk walk;
	uint32_t at = 0;

	petite_strides_of(computed, own);
	for (uint32_t k = 0; k < computed->rank; k++) {
		uint32_t from = k == dimension ? computed->rank - 1u : at++;

		strides[k] = own[from];
		petite_call_require(call, computed->sizes[from] == output->sizes[k]);
	}
	walk = petite_walk_over(call, output, 0, strides);
	petite_call_walk(call, computed, output, &walk);
}

/** (x, k, dim, largest, sorted, values, indices, list): always sorted */
void petite_prepare_topk(struct petite_call *call)
{
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor input;
	struct petite_load_tensor outputs[2];
	struct petite_load_tensor rows;
	struct petite_load_tensor best;
	struct petite_load_tensor values;
	struct petite_places places;
	struct petite_topk params = {0};
	int32_t strides[PETITE_LOAD_RANK] = {0};
	struct petite_walk walk;
	uint32_t dimension;
	uint32_t used = 0;
	int32_t k = petite_call_int(call, 1);

	petite_call_require(call, count >= 7);
	petite_call_input(call, 0, 0, &input);
	at_least_one_dimension(&input);
	petite_call_output(call, count - 3, input.dtype, &outputs[0]);
	petite_call_output(call, count - 2, PETITE_S64, &outputs[1]);
	at_least_one_dimension(&outputs[0]);
	at_least_one_dimension(&outputs[1]);
	dimension = petite_call_dimension(call, 2, input.rank);
	petite_call_require(call, outputs[0].rank == input.rank && outputs[1].rank == input.rank);
	if (petite_call_failed(call) || outputs[0].count == 0) {
		petite_call_require(call, outputs[1].count == 0);
		return;
	}
	petite_call_require(call, k >= 1 && k <= input.sizes[dimension]);
	bring_last(&input, dimension, &rows, strides);
	petite_call_scratch_tensor(call, &used, &rows);
	walk = petite_walk_over(call, &rows, 0, strides);
	petite_call_walk(call, &input, &rows, &walk);
	best = rows;
	best.dtype = PETITE_S64;
	best.sizes[best.rank - 1] = k;
	petite_call_recount(call, &best);
	petite_call_scratch_tensor(call, &used, &best);
	values = best;
	values.dtype = rows.dtype;
	petite_call_scratch_tensor(call, &used, &values);
	if (petite_call_failed(call)) {
		return;
	}
	params.input = rows.data;
	params.output = best.data;
	params.columns = rows.sizes[rows.rank - 1];
	params.rows = rows.count / params.columns;
	params.k = k;
	params.largest = petite_call_int(call, 3) != 0;
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
	find_along(call, &used, &rows, rows.rank - 1u, &best, &places);
	petite_call_take(call, &rows, &places, &values);
	send_back(call, &values, dimension, &outputs[0]);
	send_back(call, &best, dimension, &outputs[1]);
}
