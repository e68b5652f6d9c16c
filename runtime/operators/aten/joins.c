/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/copy_blocks/copy_blocks.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "aten.h"

/** A dimension of a dense tensor: elements inside it, and how often it comes. */
struct band {
	int32_t outer;
	int32_t inner;
};

static struct band band_of(const struct petite_load_tensor *tensor, uint32_t dimension)
{
	struct band band = {1, 1};
	bool is_inside = false;

	for (uint32_t k = 0; k < tensor->rank; k++) {
		if (tensor->order[k] == dimension) {
			is_inside = true;
		} else if (is_inside) {
			band.inner *= tensor->sizes[tensor->order[k]];
		} else {
			band.outer *= tensor->sizes[tensor->order[k]];
		}
	}
	return band;
}

/**
 * Copy `length` elements of a dimension from one dense tensor into another; the two differ in the
 * size of this dimension only, and have the same order.
 */
static void copy_band(struct petite_call *call, const struct petite_load_tensor *input,
		      int32_t from, const struct petite_load_tensor *output, int32_t to,
		      int32_t length, uint32_t dimension)
{
	struct band band = band_of(output, dimension);
	int32_t unit = band.inner * (int32_t)petite_element_size(output->dtype);
	struct petite_copy_blocks params;

	if (petite_call_failed(call) || length == 0 || output->count == 0) {
		return;
	}
	params = (struct petite_copy_blocks){
		.input = petite_behind(input->data, (uint32_t)(from * unit)),
		.output = petite_behind(output->data, (uint32_t)(to * unit)),
		.count = band.outer,
		.block_size = length * unit,
		.input_stride = input->sizes[dimension] * unit,
		.output_stride = output->sizes[dimension] * unit,
	};
	petite_call_step(call, petite_copy_blocks_scalar, &params, sizeof(params));
}

/** Put a part into its place in the output. */
static void put_part(struct petite_call *call, struct petite_load_tensor *part,
		     const struct petite_load_tensor *output, uint32_t dimension, int32_t *place)
{
	uint32_t used = 0;

	petite_call_require(call, part->rank == output->rank && part->dtype == output->dtype);
	for (uint32_t k = 0; k < output->rank && !petite_call_failed(call); k++) {
		petite_call_require(call, k == dimension || part->sizes[k] == output->sizes[k]);
	}
	petite_call_require(call, part->sizes[dimension] <= output->sizes[dimension] - *place);
	if (petite_call_failed(call)) {
		return;
	}
	petite_call_in_order(call, &used, part, output->order);
	copy_band(call, part, 0, output, *place, part->sizes[dimension], dimension);
	*place += part->sizes[dimension];
}

/** (list, dim, output). Parts without elements do not count. */
void petite_prepare_cat(struct petite_call *call)
{
	uint32_t count = petite_call_list(call, 0);
	struct petite_load_tensor part;
	struct petite_load_tensor output;
	uint32_t dimension;
	int32_t place = 0;

	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		petite_call_input(call, petite_call_item(0, k), 0, &part);
	}
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &output);
	dimension = petite_call_dimension(call, 1, output.rank);
	petite_call_require(call, output.rank >= 1);
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		petite_call_tensor(call, petite_call_item(0, k), &part);
		if (part.count > 0) {
			put_part(call, &part, &output, dimension, &place);
		}
	}
	petite_call_require(call, output.count == 0 || place == output.sizes[dimension]);
}

/** Give a tensor a dimension of size one, outermost in memory. */
static void add_dimension(struct petite_call *call, struct petite_load_tensor *tensor,
			  uint32_t dimension)
{
	const struct petite_load_tensor old = *tensor;

	petite_call_require(call, old.rank < PETITE_LOAD_RANK && dimension <= old.rank);
	if (petite_call_failed(call)) {
		return;
	}
	for (uint32_t k = 0; k < old.rank; k++) {
		uint8_t at = old.order[k];

		tensor->order[k + 1] = (uint8_t)(at < dimension ? at : at + 1);
		tensor->sizes[k < dimension ? k : k + 1] = old.sizes[k];
	}
	tensor->order[0] = (uint8_t)dimension;
	tensor->sizes[dimension] = 1;
	tensor->rank++;
}

/** (list, dim, output): one after the other along a new dimension */
void petite_prepare_stack(struct petite_call *call)
{
	uint32_t count = petite_call_list(call, 0);
	struct petite_load_tensor part;
	struct petite_load_tensor output;
	uint32_t dimension;
	int32_t place = 0;

	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		petite_call_input(call, petite_call_item(0, k), 0, &part);
	}
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &output);
	petite_call_require(call, output.rank >= 1);
	dimension = petite_call_dimension(call, 1, output.rank);
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		petite_call_tensor(call, petite_call_item(0, k), &part);
		add_dimension(call, &part, dimension);
		put_part(call, &part, &output, dimension, &place);
	}
	petite_call_require(call, place == output.sizes[dimension]);
}

/** Roll one dimension: what leaves it at its end comes back at its start. */
static void roll(struct petite_call *call, const struct petite_load_tensor *input,
		 const struct petite_load_tensor *output, uint32_t dimension, int32_t shift)
{
	int32_t size = output->sizes[dimension];

	if (size == 0) {
		return;
	}
	shift %= size;
	shift += shift < 0 ? size : 0;
	copy_band(call, input, 0, output, shift, size - shift, dimension);
	copy_band(call, input, size - shift, output, 0, shift, dimension);
}

/** All elements as one dimension, in logical order. */
static void flatten(struct petite_load_tensor *tensor)
{
	tensor->rank = 1;
	tensor->sizes[0] = tensor->count;
	tensor->order[0] = 0;
}

/** (input, shifts, dims, output). Without dimensions the flattened tensor rolls. */
void petite_prepare_roll(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor stage;
	int32_t shifts[PETITE_LOAD_RANK];
	int32_t dims[PETITE_LOAD_RANK];
	uint32_t used = 0;
	uint32_t count = petite_call_ints(call, 1, shifts, PETITE_LOAD_RANK);
	uint32_t listed = petite_call_ints(call, 2, dims, PETITE_LOAD_RANK);

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_require(call, petite_same_sizes(&input, &output) && count >= 1 &&
					  (listed == count || (listed == 0 && count == 1)));
	if (listed == 0 || input.rank == 0) {
		stage = petite_call_target(call, &used, &output);
		petite_call_contiguous(call, &used, &input);
		flatten(&input);
		flatten(&stage);
		roll(call, &input, &stage, 0, input.rank == 0 ? 0 : shifts[0]);
		stage.rank = output.rank;
		for (uint32_t k = 0; k < output.rank; k++) {
			stage.sizes[k] = output.sizes[k];
		}
		petite_set_contiguous(&stage);
		petite_call_deliver(call, &stage, &output);
		return;
	}
	petite_call_in_order(call, &used, &input, output.order);
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		stage = output;
		if (k + 1 < count) {
			petite_call_scratch_tensor(call, &used, &stage);
		}
		roll(call, &input, &stage, petite_as_dimension(call, dims[k], input.rank),
		     shifts[k]);
		input = stage;
	}
}
