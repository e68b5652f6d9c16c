/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/window.h"
#include "transpose_conv2d_f32.h"

/** Positions in a layout list. */
enum {
	OUTER,
	CHANNEL,
	ROW,
	COLUMN,
};

/** Add one input pixel's channels of a group; the weights are those of one tap. */
static float add_pixel(const struct petite_transpose_conv2d_f32 *p, const float *input,
		       const float *weights, float sum)
{
	const int32_t depth = p->input_c / p->groups;

	for (int32_t c = 0; c < depth; c++) {
		sum += *input * *weights;
		input += p->input_layout[CHANNEL];
		weights += p->weights_layout[OUTER];
	}
	return sum;
}

/**
 * Sum of one output element; `y` and `x` are its position in the output before cropping. Taps run
 * backwards, so that the input is visited forwards.
 */
static float convolve(const struct petite_transpose_conv2d_f32 *p, const float *input,
		      const float *weights, int32_t y, int32_t x, float sum)
{
	for (int32_t ky = p->kernel_h - 1; ky >= 0; ky--) {
		int32_t row =
			petite_transposed_source(y - ky * p->dilation_h, p->stride_h, p->input_h);

		for (int32_t kx = p->kernel_w - 1; row >= 0 && kx >= 0; kx--) {
			int32_t column = petite_transposed_source(x - kx * p->dilation_w,
								  p->stride_w, p->input_w);

			if (column >= 0) {
				sum = add_pixel(p,
						input + row * p->input_layout[ROW] +
							column * p->input_layout[COLUMN],
						weights + ky * p->weights_layout[ROW] +
							kx * p->weights_layout[COLUMN],
						sum);
			}
		}
	}
	return sum;
}

/** All channels of one output pixel; `input` and `output` are of its image. */
static void write_pixel(const struct petite_transpose_conv2d_f32 *p, int32_t y, int32_t x,
			const float *input, float *output)
{
	const int32_t depth = p->input_c / p->groups;
	const int32_t outputs_per_group = p->output_c / p->groups;

	output += y * p->output_layout[ROW] + x * p->output_layout[COLUMN];
	for (int32_t o = 0; o < p->output_c; o++) {
		int32_t first = o / outputs_per_group * depth;
		const float *weights = p->weights + first * p->weights_layout[OUTER] +
				       o % outputs_per_group * p->weights_layout[CHANNEL];

		output[o * p->output_layout[CHANNEL]] = convolve(
			p, input + first * p->input_layout[CHANNEL], weights, y + p->pad_top,
			x + p->pad_left, p->bias != NULL ? p->bias[o] : 0.0f);
	}
}

enum petite_status petite_transpose_conv2d_f32_scalar(const void *params)
{
	const struct petite_transpose_conv2d_f32 *p = params;

	for (int32_t b = 0; b < p->batches; b++) {
		const float *input = p->input + b * p->input_layout[OUTER];
		float *output = p->output + b * p->output_layout[OUTER];

		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w; x++) {
				write_pixel(p, y, x, input, output);
			}
		}
	}
	return PETITE_OK;
}
