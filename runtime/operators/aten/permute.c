/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/layout.h"
#include "../common/movement.h"
#include "aten.h"

static void take(struct petite_call *call, struct petite_load_tensor *input,
		 struct petite_load_tensor *output)
{
	petite_call_input(call, 0, 0, input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input->dtype, output);
}

/** Dimension k of the output is dimension permutation[k] of the input. */
static void permute(struct petite_call *call, const struct petite_load_tensor *input,
		    const struct petite_load_tensor *output, const uint32_t *permutation)
{
	int32_t own[PETITE_LOAD_RANK] = {0};
	int32_t strides[PETITE_LOAD_RANK] = {0};
	struct petite_walk walk;

	petite_call_require(call, input->rank == output->rank);
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(input, own);
	for (uint32_t k = 0; k < output->rank; k++) {
		strides[k] = own[permutation[k]];
		petite_call_require(call, input->sizes[permutation[k]] == output->sizes[k]);
	}
	walk = petite_walk_over(call, output, 0, strides);
	petite_call_walk(call, input, output, &walk);
}

/** (input, dims, output) */
void petite_prepare_permute(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	int32_t given[PETITE_LOAD_RANK];
	uint32_t permutation[PETITE_LOAD_RANK] = {0};
	uint32_t rank;
	uint32_t seen = 0;

	take(call, &input, &output);
	rank = petite_call_ints(call, 1, given, PETITE_LOAD_RANK);
	petite_call_require(call, rank == input.rank);
	for (uint32_t k = 0; k < rank && !petite_call_failed(call); k++) {
		permutation[k] = petite_as_dimension(call, given[k], rank);
		seen |= 1u << permutation[k];
	}
	petite_call_require(call, seen == (1u << rank) - 1);
	permute(call, &input, &output, permutation);
}

/** (input, dim, dim, output): the two change places */
void petite_prepare_transpose(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t permutation[PETITE_LOAD_RANK] = {0, 1, 2, 3, 4, 5};
	uint32_t first;
	uint32_t second;

	take(call, &input, &output);
	first = petite_call_dimension(call, 1, input.rank);
	second = petite_call_dimension(call, 2, input.rank);
	permutation[first] = second;
	permutation[second] = first;
	permute(call, &input, &output, permutation);
}

/** (input, output): a matrix with rows and columns exchanged; a vector stays */
void petite_prepare_t(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t permutation[PETITE_LOAD_RANK] = {0};

	take(call, &input, &output);
	petite_call_require(call, input.rank <= 2);
	for (uint32_t k = 0; k < input.rank; k++) {
		permutation[k] = input.rank - 1u - k;
	}
	permute(call, &input, &output, permutation);
}

/** (input, dims, output): each is read from its end */
void petite_prepare_flip(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	int32_t given[PETITE_LOAD_RANK];
	int32_t strides[PETITE_LOAD_RANK] = {0};
	int32_t start = 0;
	uint32_t count;
	uint32_t seen = 0;
	struct petite_walk walk;

	take(call, &input, &output);
	count = petite_call_ints(call, 1, given, PETITE_LOAD_RANK);
	petite_call_require(call, petite_same_sizes(&input, &output));
	petite_strides_of(&input, strides);
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		uint32_t dimension = petite_as_dimension(call, given[k], input.rank);

		petite_call_require(call, (seen >> dimension & 1) == 0);
		seen |= 1u << dimension;
		if (dimension < input.rank && input.sizes[dimension] > 0) {
			start += (input.sizes[dimension] - 1) * strides[dimension];
			strides[dimension] = -strides[dimension];
		}
	}
	walk = petite_walk_over(call, &output, start, strides);
	petite_call_walk(call, &input, &output, &walk);
}

/** (input, counts, output): every dimension, and new ones in front, so many times over */
void petite_prepare_repeat(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	int32_t counts[PETITE_LOAD_RANK];
	int32_t own[PETITE_LOAD_RANK] = {0};
	uint32_t rank;
	struct petite_walk walk = {0};

	take(call, &input, &output);
	rank = petite_call_ints(call, 1, counts, PETITE_LOAD_RANK);
	petite_call_require(call, rank == output.rank && rank >= input.rank);
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(&input, own);
	for (uint32_t k = 0; k < rank; k++) {
		uint32_t dimension = output.order[k];
		uint32_t missing = rank - input.rank;
		bool is_new = dimension < missing;
		int32_t size = is_new ? 1 : input.sizes[dimension - missing];

		petite_call_require(call,
				    counts[dimension] >= 0 && (int64_t)size * counts[dimension] ==
								      output.sizes[dimension]);
		petite_walk_add(call, &walk, counts[dimension], 0);
		petite_walk_add(call, &walk, size, is_new ? 0 : own[dimension - missing]);
	}
	petite_call_walk(call, &input, &output, &walk);
}

/** Rows and columns of an image, of which one of the call's tensors has factor times as many. */
static int32_t take_image(struct petite_call *call, struct petite_load_tensor *input,
			  struct petite_load_tensor *output)
{
	int32_t factor = petite_call_int(call, 1);

	take(call, input, output);
	petite_call_require(call, input->rank >= 3 && output->rank == input->rank && factor >= 1 &&
					  factor <= INT16_MAX);
	if (petite_call_failed(call)) {
		return 1;
	}
	for (uint32_t k = 0; k < input->rank - 3u; k++) {
		petite_call_require(call, input->sizes[k] == output->sizes[k]);
	}
	return factor;
}

/** Whether spread sizes are those of an image whose channels hold factor * factor pixels each. */
static bool is_spread(const int32_t *image, const int32_t *spread, int32_t factor)
{
	return image[0] == (int64_t)spread[0] * factor * factor &&
	       (int64_t)image[1] * factor == spread[1] && (int64_t)image[2] * factor == spread[2];
}

/** (input, factor, output): channels become rows and columns */
void petite_prepare_pixel_shuffle(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_walk walk = {0};
	int32_t own[PETITE_LOAD_RANK] = {0};
	uint32_t used = 0;
	int32_t factor = take_image(call, &input, &output);
	uint32_t first;

	if (petite_call_failed(call)) {
		return;
	}
	first = input.rank - 3u;
	petite_call_require(call, is_spread(input.sizes + first, output.sizes + first, factor));
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	petite_strides_of(&input, own);
	target = petite_call_target(call, &used, &output);
	for (uint32_t k = 0; k < first; k++) {
		petite_walk_add(call, &walk, input.sizes[k], own[k]);
	}
	petite_walk_add(call, &walk, output.sizes[first], factor * factor * own[first]);
	petite_walk_add(call, &walk, input.sizes[first + 1], own[first + 1]);
	petite_walk_add(call, &walk, factor, factor * own[first]);
	petite_walk_add(call, &walk, input.sizes[first + 2], own[first + 2]);
	petite_walk_add(call, &walk, factor, own[first]);
	petite_call_walk(call, &input, &target, &walk);
	petite_call_deliver(call, &target, &output);
}

/** (input, factor, output): rows and columns become channels */
void petite_prepare_pixel_unshuffle(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_walk walk = {0};
	int32_t own[PETITE_LOAD_RANK] = {0};
	uint32_t used = 0;
	int32_t factor = take_image(call, &input, &output);
	uint32_t first;

	if (petite_call_failed(call)) {
		return;
	}
	first = input.rank - 3u;
	petite_call_require(call, is_spread(output.sizes + first, input.sizes + first, factor));
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	petite_strides_of(&input, own);
	target = petite_call_target(call, &used, &output);
	for (uint32_t k = 0; k <= first; k++) {
		petite_walk_add(call, &walk, input.sizes[k], own[k]);
	}
	petite_walk_add(call, &walk, factor, own[first + 1]);
	petite_walk_add(call, &walk, factor, own[first + 2]);
	petite_walk_add(call, &walk, output.sizes[first + 1], factor * own[first + 1]);
	petite_walk_add(call, &walk, output.sizes[first + 2], factor * own[first + 2]);
	petite_call_walk(call, &input, &target, &walk);
	petite_call_deliver(call, &target, &output);
}
