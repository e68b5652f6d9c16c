/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/places.h"
#include "aten.h"

/** Dimensions that may be padded. */
#define MOST_PADDED 3

/** Which element of a dimension stands at a place, inside or outside of it. */
typedef int64_t (*petite_mirror)(int64_t place, int32_t size);

/** Without repeating the border; what would be mirrored twice stays outside. */
static int64_t reflect(int64_t place, int32_t size)
{
	if (place >= size) {
		place = 2 * ((int64_t)size - 1) - place;
		return place;
	}
	return place < 0 ? -place : place;
}

static int64_t repeat(int64_t place, int32_t size)
{
	if (place < 0) {
		return 0;
	}
	return place < size ? place : size - 1;
}

/** Offsets of a dimension's elements, in memory for structures. */
static const int32_t *make_offsets(struct petite_call *call, petite_mirror mirror, int32_t before,
				   int32_t count, int32_t size, int32_t stride)
{
	int32_t *offsets;

	petite_call_require(call, count <= INT32_MAX / 8);
	offsets = petite_call_reserve(call, (uint32_t)count * (uint32_t)sizeof(offsets[0]));
	for (int32_t k = 0; k < count && !petite_call_failed(call); k++) {
		int64_t place = mirror((int64_t)k - before, size);

		petite_call_require(call, place >= 0 && place < size);
		if (offsets != NULL && place >= 0 && place < size) {
			offsets[k] = (int32_t)place * stride;
		}
	}
	return offsets;
}

/** Pad one dimension of a contiguous tensor, to an output that differs from it in this alone. */
static void pad_dimension(struct petite_call *call, petite_mirror mirror, uint32_t dimension,
			  int32_t before, const struct petite_load_tensor *input,
			  const struct petite_load_tensor *output)
{
	struct petite_places places = {0};
	int32_t own[PETITE_LOAD_RANK] = {0};

	petite_strides_of(input, own);
	for (uint32_t k = 0; k < input->rank; k++) {
		petite_places_add(call, &places, output->sizes[k], k == dimension ? 0 : own[k]);
	}
	if (petite_call_failed(call)) {
		return;
	}
	places.offset_strides[dimension] = 1;
	places.offsets = make_offsets(call, mirror, before, output->sizes[dimension],
				      input->sizes[dimension], own[dimension]);
	places.reach = (input->sizes[dimension] - 1) * own[dimension];
	petite_call_take(call, input, &places, output);
}

/** (x, pads from the last dimension backwards, output): filled with the tensor's own elements */
static void pad(struct petite_call *call, petite_mirror mirror)
{
	struct petite_load_tensor value;
	struct petite_load_tensor output;
	struct petite_load_tensor padded;
	int32_t pads[2 * MOST_PADDED];
	uint32_t used = 0;
	uint32_t count = petite_call_ints(call, 1, pads, 2 * MOST_PADDED);

	petite_call_input(call, 0, 0, &value);
	petite_call_output(call, petite_call_argument_count(call) - 1, value.dtype, &output);
	petite_call_require(call, count % 2 == 0 && count / 2 <= value.rank &&
					  value.rank == output.rank && value.count > 0);
	petite_call_contiguous(call, &used, &value);
	for (uint32_t k = 0; k < count / 2 && !petite_call_failed(call); k++) {
		uint32_t dimension = value.rank - 1u - k;
		int64_t size = (int64_t)value.sizes[dimension] + pads[2 * k] + pads[2 * k + 1];

		petite_call_require(call, size == output.sizes[dimension]);
		if (pads[2 * k] == 0 && pads[2 * k + 1] == 0) {
			continue;
		}
		padded = value;
		padded.sizes[dimension] = output.sizes[dimension];
		petite_call_recount(call, &padded);
		petite_call_scratch_tensor(call, &used, &padded);
		pad_dimension(call, mirror, dimension, pads[2 * k], &value, &padded);
		value = padded;
	}
	petite_call_require(call, petite_same_sizes(&value, &output));
	petite_call_expand(call, &value, &output);
}

void petite_prepare_reflection_pad(struct petite_call *call)
{
	pad(call, reflect);
}

void petite_prepare_replication_pad(struct petite_call *call)
{
	pad(call, repeat);
}
