/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/layout.h"
#include "../common/movement.h"
#include "aten.h"

/** An input, and where in it an output's elements are. */
struct piece {
	struct petite_load_tensor input;
	int32_t strides[PETITE_LOAD_RANK];
};

static void take(struct petite_call *call, struct piece *piece)
{
	*piece = (struct piece){0};
	petite_call_input(call, 0, 0, &piece->input);
	petite_strides_of(&piece->input, piece->strides);
}

/** Write an output at a position, whose dimensions the piece's strides are for. */
static void give(struct petite_call *call, const struct piece *piece, uint32_t position,
		 uint32_t rank, int32_t start)
{
	struct petite_load_tensor output;
	struct petite_walk walk;

	petite_call_output(call, position, piece->input.dtype, &output);
	petite_call_require(call, output.rank == rank);
	if (petite_call_failed(call)) {
		return;
	}
	walk = petite_walk_over(call, &output, start, piece->strides);
	petite_call_walk(call, &piece->input, &output, &walk);
}

/** Fail unless an output has the input's sizes, but for one dimension. */
static void check_others(struct petite_call *call, const struct petite_load_tensor *input,
			 const struct petite_load_tensor *output, uint32_t dimension)
{
	petite_call_require(call, input->rank == output->rank);
	for (uint32_t k = 0; k < input->rank && !petite_call_failed(call); k++) {
		petite_call_require(call, k == dimension || input->sizes[k] == output->sizes[k]);
	}
}

/** A place in a dimension: negative ones count from its end, and outside is its border. */
static int32_t limited(int64_t place, int32_t size)
{
	place += place < 0 ? size : 0;
	if (place < 0) {
		return 0;
	}
	return place > size ? size : (int32_t)place;
}

static uint32_t last_of(const struct petite_call *call)
{
	return petite_call_argument_count(call) - 1;
}

/** (input, dim, start?, end?, step, output) */
void petite_prepare_slice(struct petite_call *call)
{
	struct piece piece;
	struct petite_load_tensor output;
	uint32_t dimension;
	int32_t step = petite_call_int(call, 4);
	int32_t size;
	int32_t start;
	int32_t end;

	take(call, &piece);
	dimension = petite_call_dimension(call, 1, piece.input.rank);
	petite_call_require(call, piece.input.rank >= 1 && step >= 1);
	petite_call_tensor(call, last_of(call), &output);
	check_others(call, &piece.input, &output, dimension);
	if (petite_call_failed(call)) {
		return;
	}
	size = piece.input.sizes[dimension];
	start = petite_call_is_none(call, 2) ? 0 : limited(petite_call_long(call, 2), size);
	end = petite_call_is_none(call, 3) ? size : limited(petite_call_long(call, 3), size);
	petite_call_require(call, output.sizes[dimension] ==
					  (end > start ? (end - start - 1) / step + 1 : 0));
	if (petite_call_failed(call)) {
		return;
	}
	start *= piece.strides[dimension];
	/* A step beyond the end is never taken. */
	piece.strides[dimension] =
		output.sizes[dimension] > 1 ? piece.strides[dimension] * step : 0;
	give(call, &piece, last_of(call), piece.input.rank, start);
}

/** (input, dim, start, length, output) */
void petite_prepare_narrow(struct petite_call *call)
{
	struct piece piece;
	struct petite_load_tensor output;
	uint32_t dimension;
	int32_t length = petite_call_int(call, 3);
	int32_t start;
	int32_t size;

	take(call, &piece);
	dimension = petite_call_dimension(call, 1, piece.input.rank);
	petite_call_tensor(call, last_of(call), &output);
	petite_call_require(call, piece.input.rank >= 1);
	check_others(call, &piece.input, &output, dimension);
	if (petite_call_failed(call)) {
		return;
	}
	size = piece.input.sizes[dimension];
	start = petite_call_int(call, 2);
	start += start < 0 ? size : 0;
	petite_call_require(call, start >= 0 && start <= size && length >= 0 &&
					  length <= size - start &&
					  length == output.sizes[dimension]);
	if (petite_call_failed(call)) {
		return;
	}
	give(call, &piece, last_of(call), piece.input.rank, start * piece.strides[dimension]);
}

/** Leave a dimension out of the strides; gives its own. */
static int32_t drop(struct piece *piece, uint32_t dimension)
{
	const struct piece whole = *piece;

	for (uint32_t k = dimension; k + 1 < whole.input.rank; k++) {
		piece->strides[k] = whole.strides[k + 1];
	}
	return whole.strides[dimension];
}

/** Fail unless a tensor has the input's sizes without one dimension. */
static void check_dropped(struct petite_call *call, const struct petite_load_tensor *input,
			  uint32_t position, uint32_t dimension)
{
	struct petite_load_tensor output;

	petite_call_tensor(call, position, &output);
	petite_call_require(call, output.rank + 1 == input->rank);
	for (uint32_t k = 0; k < output.rank && !petite_call_failed(call); k++) {
		petite_call_require(call,
				    output.sizes[k] == input->sizes[k < dimension ? k : k + 1]);
	}
}

/** (input, dim, index, output) */
void petite_prepare_select(struct petite_call *call)
{
	struct piece piece;
	uint32_t dimension;
	int32_t index = petite_call_int(call, 2);
	int32_t size;

	take(call, &piece);
	petite_call_require(call, piece.input.rank >= 1);
	dimension = petite_call_dimension(call, 1, piece.input.rank);
	check_dropped(call, &piece.input, last_of(call), dimension);
	size = piece.input.sizes[dimension];
	petite_call_require(call, index >= -size && index < size);
	if (petite_call_failed(call)) {
		return;
	}
	index += index < 0 ? size : 0;
	index *= drop(&piece, dimension);
	give(call, &piece, last_of(call), piece.input.rank - 1u, index);
}

/** (input, dim, list): each element of the dimension by itself */
void petite_prepare_unbind(struct petite_call *call)
{
	struct piece piece;
	uint32_t dimension;
	int32_t stride;
	int32_t size;

	take(call, &piece);
	petite_call_require(call, piece.input.rank >= 1);
	dimension = petite_call_dimension(call, 1, piece.input.rank);
	size = piece.input.sizes[dimension];
	petite_call_require(call, petite_call_list(call, last_of(call)) == (uint32_t)size);
	stride = drop(&piece, dimension);
	for (int32_t k = 0; k < size && !petite_call_failed(call); k++) {
		uint32_t position = petite_call_item(last_of(call), (uint32_t)k);

		check_dropped(call, &piece.input, position, dimension);
		give(call, &piece, position, piece.input.rank - 1u, k * stride);
	}
}

/** (input, size or sizes, dim, list): the outputs' sizes say where each begins */
void petite_prepare_split(struct petite_call *call)
{
	struct piece piece;
	uint32_t count = petite_call_list(call, last_of(call));
	uint32_t dimension;
	int32_t start = 0;

	take(call, &piece);
	dimension = petite_call_dimension(call, 2, piece.input.rank);
	petite_call_require(call, piece.input.rank >= 1);
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		uint32_t position = petite_call_item(last_of(call), k);
		struct petite_load_tensor output;

		petite_call_tensor(call, position, &output);
		check_others(call, &piece.input, &output, dimension);
		petite_call_require(call, output.sizes[dimension] <=
						  piece.input.sizes[dimension] - start);
		if (petite_call_failed(call)) {
			return;
		}
		give(call, &piece, position, piece.input.rank, start * piece.strides[dimension]);
		start += output.sizes[dimension];
	}
	petite_call_require(call, start == piece.input.sizes[dimension]);
}

/** (input, offset, dim, dim, output): the diagonal is the last dimension */
void petite_prepare_diagonal(struct petite_call *call)
{
	struct piece piece;
	int32_t offset = petite_call_int(call, 1);
	uint32_t first;
	uint32_t second;
	uint32_t kept = 0;
	int32_t steps[PETITE_LOAD_RANK] = {0};
	int64_t start;

	take(call, &piece);
	first = petite_call_dimension(call, 2, piece.input.rank);
	second = petite_call_dimension(call, 3, piece.input.rank);
	petite_call_require(call, first != second);
	if (petite_call_failed(call)) {
		return;
	}
	for (uint32_t k = 0; k < piece.input.rank; k++) {
		if (k != first && k != second) {
			steps[kept++] = piece.strides[k];
		}
	}
	start = offset > 0 ? (int64_t)offset * piece.strides[second]
			   : -(int64_t)offset * piece.strides[first];
	/* Beyond the input the output has no elements; if it does have some, that is seen later. */
	start = start > INT32_MAX ? INT32_MAX : start;
	steps[kept] = piece.strides[first] + piece.strides[second];
	for (uint32_t k = 0; k <= kept; k++) {
		piece.strides[k] = steps[k];
	}
	give(call, &piece, last_of(call), kept + 1, (int32_t)start);
}

/** (input, dim, size, step, output): windows; their elements are the last dimension */
void petite_prepare_unfold(struct petite_call *call)
{
	struct piece piece;
	struct petite_load_tensor output;
	uint32_t dimension;
	uint32_t rank;
	int32_t step = petite_call_int(call, 3);
	int32_t stride;

	take(call, &piece);
	dimension = petite_call_dimension(call, 1, piece.input.rank);
	petite_call_tensor(call, last_of(call), &output);
	rank = piece.input.rank;
	petite_call_require(call, step >= 1 && output.rank == rank + 1u);
	if (petite_call_failed(call)) {
		return;
	}
	if (rank > 0) {
		stride = piece.strides[dimension];
		piece.strides[rank] = stride;
		petite_call_require(call, output.sizes[dimension] <= 1 ||
						  step <= piece.input.sizes[dimension]);
		piece.strides[dimension] = output.sizes[dimension] > 1 ? stride * step : 0;
	}
	give(call, &piece, last_of(call), rank + 1, 0);
}

/** (input, size, strides, start?, output): of the elements in logical order */
void petite_prepare_as_strided(struct petite_call *call)
{
	struct piece piece;
	int32_t sizes[PETITE_LOAD_RANK];
	uint32_t rank = petite_call_ints(call, 1, sizes, PETITE_LOAD_RANK);
	uint32_t used = 0;

	take(call, &piece);
	petite_call_require(call,
			    petite_call_ints(call, 2, piece.strides, PETITE_LOAD_RANK) == rank);
	petite_call_contiguous(call, &used, &piece.input);
	give(call, &piece, last_of(call), rank,
	     petite_call_is_none(call, 3) ? 0 : petite_call_int(call, 3));
}
