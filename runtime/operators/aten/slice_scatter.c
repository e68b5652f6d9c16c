/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "../../kernels/put/put.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/places.h"
#include "aten.h"

/** A copy of x, part of which becomes a source; the part's dimensions are those of the source. */
struct part {
	struct petite_load_tensor target;
	struct petite_load_tensor source;
	struct petite_load_tensor output;
	int32_t strides[PETITE_LOAD_RANK];
	uint32_t dimension;
	uint32_t used;
};

/** (x, source, dim, ..., output) */
static void take(struct petite_call *call, struct part *part)
{
	memset(part, 0, sizeof(*part));
	petite_call_input(call, 0, 0, &part->target);
	petite_call_input(call, 1, part->target.dtype, &part->source);
	petite_call_output(call, petite_call_argument_count(call) - 1, part->target.dtype,
			   &part->output);
	part->dimension = petite_call_dimension(call, 2, part->target.rank);
	petite_call_require(call, part->target.rank >= 1);
	petite_call_contiguous(call, &part->used, &part->target);
	petite_strides_of(&part->target, part->strides);
}

/** Emit the steps: the part begins at an element, and has these strides. */
static void put_part(struct petite_call *call, struct part *part, int32_t start)
{
	struct petite_places places = {.reach = start};
	struct petite_load_tensor offset;
	struct petite_load_tensor computed;
	uint8_t bytes[8] = {0};

	petite_call_long_bytes(call, start, PETITE_S32, bytes);
	petite_call_element(call, PETITE_S32, bytes, &offset);
	places.offsets = offset.data;
	for (uint32_t k = 0; k < part->source.rank; k++) {
		petite_places_add(call, &places, part->source.sizes[k], part->strides[k]);
	}
	computed = petite_call_target(call, &part->used, &part->output);
	petite_call_put(call, petite_put_scalar, &part->target, &part->source, &places, &computed);
	petite_call_deliver(call, &computed, &part->output);
}

/** A place in a dimension: negative ones count from its end, and outside is its border. */
static int32_t limited(struct petite_call *call, uint32_t position, int32_t absent, int32_t size)
{
	int64_t place;

	if (petite_call_is_none(call, position)) {
		return absent;
	}
	place = petite_call_long(call, position);
	if (place < 0) {
		place = place < -(int64_t)size ? 0 : place + size;
	}
	return place > size ? size : (int32_t)place;
}

/** (x, source, dim, start?, end?, step, output): the slice becomes the source */
void petite_prepare_slice_scatter(struct petite_call *call)
{
	struct part part;
	int32_t step = petite_call_int(call, 5);
	int32_t size;
	int32_t start;
	int32_t end;

	take(call, &part);
	petite_call_require(call, step >= 1 && part.source.rank == part.target.rank);
	if (petite_call_failed(call)) {
		return;
	}
	size = part.target.sizes[part.dimension];
	start = limited(call, 3, 0, size);
	end = limited(call, 4, size, size);
	for (uint32_t k = 0; k < part.target.rank; k++) {
		int32_t wanted = part.target.sizes[k];

		if (k == part.dimension) {
			wanted = end > start ? (end - start - 1) / step + 1 : 0;
		}
		petite_call_require(call, part.source.sizes[k] == wanted);
	}
	if (petite_call_failed(call) || part.source.count == 0) {
		petite_call_expand(call, &part.target, &part.output);
		return;
	}
	start *= part.strides[part.dimension];
	/* A step beyond the end is never taken. */
	part.strides[part.dimension] *= part.source.sizes[part.dimension] > 1 ? step : 0;
	put_part(call, &part, start);
}

/** (x, source, dim, index, output): what has that index becomes the source */
void petite_prepare_select_scatter(struct petite_call *call)
{
	struct part part;
	int32_t own[PETITE_LOAD_RANK] = {0};
	int32_t index = petite_call_int(call, 3);
	int32_t size;
	int32_t start;

	take(call, &part);
	size = part.target.sizes[part.dimension];
	petite_call_require(call, part.source.rank + 1 == part.target.rank && index >= -size &&
					  index < size);
	if (petite_call_failed(call)) {
		return;
	}
	index += index < 0 ? size : 0;
	start = index * part.strides[part.dimension];
	petite_strides_of(&part.target, own);
	for (uint32_t k = 0; k < part.source.rank; k++) {
		uint32_t from = k < part.dimension ? k : k + 1;

		part.strides[k] = own[from];
		petite_call_require(call, part.source.sizes[k] == part.target.sizes[from]);
	}
	put_part(call, &part, start);
}

/** Whether each element of a matrix is kept; in memory for structures. */
static void make_triangle(struct petite_call *call, int32_t rows, int32_t columns, int64_t diagonal,
			  struct petite_load_tensor *mask)
{
	uint8_t *kept;

	*mask = (struct petite_load_tensor){.rank = 2, .dtype = PETITE_BOOL, .is_constant = true};
	mask->sizes[0] = rows;
	mask->sizes[1] = columns;
	petite_set_contiguous(mask);
	petite_call_recount(call, mask);
	kept = petite_call_reserve(call, (uint32_t)mask->count);
	mask->data = kept;
	for (int32_t y = 0; kept != NULL && y < rows; y++) {
		for (int32_t x = 0; x < columns; x++) {
			kept[y * columns + x] = (uint8_t)(x - diagonal <= y);
		}
	}
}

/** (x, diagonal, output): zero above the diagonal */
void petite_prepare_tril(struct petite_call *call)
{
	static const uint8_t zero[8] = {0};
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor mask;
	struct petite_load_tensor element;
	int32_t diagonal = petite_call_int(call, 1);

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_require(call, input.rank >= 2 && petite_same_sizes(&input, &output));
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	make_triangle(call, input.sizes[input.rank - 2], input.sizes[input.rank - 1], diagonal,
		      &mask);
	petite_call_element(call, input.dtype, zero, &element);
	petite_call_where(call, &mask, &input, &element, &output);
}
