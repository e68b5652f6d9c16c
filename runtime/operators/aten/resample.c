/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../kernels/distance/distance_f32.h"
#include "../../kernels/grid_sample/grid_sample_f32.h"
#include "../../kernels/resize/resize_bilinear_f32.h"
#include "../../kernels/resize/resize_nearest.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/real.h"
#include "resize.h"

/** Both tensors in one order: pixels whose channels lie together, or else planes. */
void petite_call_resize(struct petite_call *call, struct petite_resize *own)
{
	static const uint8_t channels_last[] = {0, 2, 3, 1};
	struct petite_load_tensor wanted;
	struct petite_load_tensor *input = &own->input;

	*own = (struct petite_resize){.channels = 1};
	petite_call_input(call, 0, 0, input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input->dtype, &own->output);
	petite_call_require(call, input->rank == 4 && own->output.rank == 4 && input->count > 0 &&
					  own->output.count > 0 &&
					  input->sizes[0] == own->output.sizes[0] &&
					  input->sizes[1] == own->output.sizes[1]);
	own->target = own->output;
	if (petite_call_failed(call)) {
		return;
	}
	own->images = input->sizes[0];
	wanted = own->output;
	memcpy(wanted.order, channels_last, sizeof(channels_last));
	if (petite_same_layout(&own->output, &wanted)) {
		own->channels = input->sizes[1];
		petite_call_in_order(call, &own->used, input, channels_last);
		return;
	}
	own->images *= input->sizes[1];
	petite_call_contiguous(call, &own->used, input);
	own->target = petite_call_target(call, &own->used, &own->output);
}

float petite_resize_scale(struct petite_call *call, int32_t size, int32_t output, double factor,
			  bool align_corners)
{
	double between_centres = output > 1 ? (double)(size - 1) / (output - 1) : 0.0;
	double scale = align_corners ? between_centres : 1.0 / factor;

	/* Positions are converted to int32. */
	petite_call_require(call, scale >= 0.0 && scale * ((double)output + 1.0) < 0x1p31 - 256.0);
	return petite_call_failed(call) ? 0.0f : (float)scale;
}

/** How much larger the output is: what the model says, or what the sizes do. */
static void take_factors(struct petite_call *call, uint32_t position,
			 const struct petite_resize *own, double *factors)
{
	if (petite_call_is_none(call, position)) {
		factors[0] = (double)own->output.sizes[2] / own->input.sizes[2];
		factors[1] = (double)own->output.sizes[3] / own->input.sizes[3];
		return;
	}
	petite_call_require(call, petite_call_doubles(call, position, factors, 2) == 2);
	petite_call_require(call, factors[0] > 0.0 && factors[1] > 0.0);
}

/** Scales of both dimensions. */
static void take_scales(struct petite_call *call, uint32_t position, bool align_corners,
			const struct petite_resize *own, float *scales)
{
	double factors[2] = {1.0, 1.0};

	if (petite_call_failed(call)) {
		return;
	}
	take_factors(call, position, own, factors);
	for (uint32_t k = 0; k < 2 && !petite_call_failed(call); k++) {
		scales[k] =
			petite_resize_scale(call, own->input.sizes[2 + k], own->output.sizes[2 + k],
					    factors[k], align_corners);
	}
}

/** (x, output size?, factors?, output) */
void petite_prepare_upsample_nearest2d(struct petite_call *call)
{
	struct petite_resize own;
	struct petite_resize_nearest params;
	float scales[2] = {0.0f, 0.0f};

	petite_call_resize(call, &own);
	take_scales(call, 2, false, &own, scales);
	params = (struct petite_resize_nearest){
		.input = own.input.data,
		.output = own.target.data,
		.images = own.images,
		.input_h = own.input.sizes[2],
		.input_w = own.input.sizes[3],
		.output_h = own.output.sizes[2],
		.output_w = own.output.sizes[3],
		.scale_h = scales[0],
		.scale_w = scales[1],
	};
	if (petite_call_failed(call)) {
		return;
	}
	params.pixel_size = own.channels * (int32_t)petite_element_size(own.input.dtype);
	petite_call_step(call, petite_resize_nearest_scalar, &params, sizeof(params));
	petite_call_deliver(call, &own.target, &own.output);
}

/** (x, output size?, align corners, factors?, output) */
void petite_prepare_upsample_bilinear2d(struct petite_call *call)
{
	struct petite_resize own;
	struct petite_resize_bilinear_f32 params;
	float scales[2] = {0.0f, 0.0f};
	bool align_corners = petite_call_int(call, 2) != 0;

	petite_call_resize(call, &own);
	take_scales(call, 3, align_corners, &own, scales);
	params = (struct petite_resize_bilinear_f32){
		.input = own.input.data,
		.output = own.target.data,
		.images = own.images,
		.input_h = own.input.sizes[2],
		.input_w = own.input.sizes[3],
		.output_h = own.output.sizes[2],
		.output_w = own.output.sizes[3],
		.channels = own.channels,
		.align_corners = align_corners,
		.scale_h = scales[0],
		.scale_w = scales[1],
	};
	petite_call_step(call, petite_resize_bilinear_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &own.target, &own.output);
}

/** (x, grid, mode, padding, align corners, output) */
void petite_prepare_grid_sampler_2d(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor grid;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_grid_sample_f32 params;
	int32_t mode = petite_call_int(call, 2);
	int32_t padding = petite_call_int(call, 3);
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_input(call, 1, PETITE_F32, &grid);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_require(call, mode >= 0 && mode <= 2 && padding >= 0 && padding <= 2);
	petite_call_require(call, input.rank == 4 && grid.rank == 4 && output.rank == 4 &&
					  input.count > 0 && input.sizes[2] < 1 << 24 &&
					  input.sizes[3] < 1 << 24);
	petite_call_require(call, grid.sizes[0] == input.sizes[0] && grid.sizes[3] == 2 &&
					  output.sizes[0] == input.sizes[0] &&
					  output.sizes[1] == input.sizes[1] &&
					  output.sizes[2] == grid.sizes[1] &&
					  output.sizes[3] == grid.sizes[2]);
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	petite_call_contiguous(call, &used, &input);
	petite_call_contiguous(call, &used, &grid);
	target = petite_call_target(call, &used, &output);
	params = (struct petite_grid_sample_f32){
		.input = input.data,
		.grid = grid.data,
		.output = target.data,
		.images = input.sizes[0],
		.channels = input.sizes[1],
		.input_h = input.sizes[2],
		.input_w = input.sizes[3],
		.output_h = output.sizes[2],
		.output_w = output.sizes[3],
		.mode = mode,
		.padding = padding,
		.align_corners = petite_call_int(call, 4) != 0,
	};
	petite_call_step(call, petite_grid_sample_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &target, &output);
}

/* --- distances ----------------------------------------------------------------------------------
 */

/** Norms that have a number of their own; see distance_f32.h. */
static int32_t norm_of(float exponent)
{
	if (exponent == 0.0f) {
		return 0;
	}
	if (exponent == 1.0f) {
		return 1;
	}
	if (exponent == 2.0f) {
		return 2;
	}
	return petite_is_infinite(exponent) ? 3 : 4;
}

static void emit_distance(struct petite_call *call, uint32_t *used, float exponent,
			  struct petite_distance_f32 *params,
			  const struct petite_load_tensor *output)
{
	struct petite_load_tensor target = petite_call_target(call, used, output);

	petite_call_require(call, exponent >= 0.0f);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	params->output = target.data;
	params->norm = norm_of(exponent);
	params->exponent = exponent;
	petite_call_step(call, petite_distance_f32_scalar, params, sizeof(*params));
	petite_call_deliver(call, &target, output);
}

/** Rows of one side, repeated for all batches of the output, contiguous. */
static void take_rows(struct petite_call *call, uint32_t *used, uint32_t dimension,
		      const struct petite_load_tensor *output, struct petite_load_tensor *rows)
{
	struct petite_load_tensor spread = *output;

	petite_call_require(call, rows->rank >= 2 && output->rank >= 2);
	if (petite_call_failed(call)) {
		return;
	}
	petite_set_contiguous(&spread);
	spread.sizes[spread.rank - 2] = output->sizes[dimension];
	spread.sizes[spread.rank - 1] = rows->sizes[rows->rank - 1];
	petite_call_require(call, rows->sizes[rows->rank - 2] == output->sizes[dimension]);
	petite_call_recount(call, &spread);
	if (petite_same_layout(rows, &spread)) {
		return;
	}
	petite_call_scratch_tensor(call, used, &spread);
	petite_call_expand(call, rows, &spread);
	*rows = spread;
}

/** (x, y, exponent, compute mode?, output): between every row of x and every row of y */
void petite_prepare_cdist(struct petite_call *call)
{
	struct petite_load_tensor left;
	struct petite_load_tensor right;
	struct petite_load_tensor output;
	struct petite_distance_f32 params = {0};
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_F32, &left);
	petite_call_input(call, 1, PETITE_F32, &right);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_require(call, left.rank >= 2 && right.rank >= 2 && output.rank >= 2);
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	petite_call_require(call, left.sizes[left.rank - 1] == right.sizes[right.rank - 1]);
	take_rows(call, &used, output.rank - 2u, &output, &left);
	take_rows(call, &used, output.rank - 1u, &output, &right);
	params.left = left.data;
	params.right = right.data;
	params.left_rows = output.sizes[output.rank - 2];
	params.right_rows = output.sizes[output.rank - 1];
	params.batches = output.count / params.left_rows / params.right_rows;
	params.columns = left.sizes[left.rank - 1];
	emit_distance(call, &used, petite_call_float(call, 2), &params, &output);
}

/** (x, exponent, output): between every two rows of x */
void petite_prepare_pdist(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_distance_f32 params = {.batches = 1, .pairs = 1};
	uint32_t used = 0;
	int64_t rows;

	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	rows = input.sizes[0];
	petite_call_require(call, input.rank == 2 && output.rank == 1 &&
					  rows * (rows - 1) / 2 == output.count);
	petite_call_contiguous(call, &used, &input);
	params.left = input.data;
	params.right = input.data;
	params.left_rows = input.sizes[0];
	params.right_rows = input.sizes[0];
	params.columns = input.sizes[1];
	emit_distance(call, &used, petite_call_float(call, 1), &params, &output);
}
