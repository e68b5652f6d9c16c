/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/window.h"
#include "conv2d_f32.h"

/** Positions in a layout list. */
enum {
	OUTER,
	CHANNEL,
	ROW,
	COLUMN,
};

/** Sum over the window in one input channel; the pointers are to that channel. */
static float convolve(const struct petite_conv2d_f32 *p, struct petite_window rows,
		      struct petite_window columns, const float *input, const float *weights,
		      float sum)
{
	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		int32_t y = rows.start + (ky - rows.first) * p->dilation_h;
		int32_t input_at =
			y * p->input_layout[ROW] + columns.start * p->input_layout[COLUMN];
		int32_t weights_at =
			ky * p->weights_layout[ROW] + columns.first * p->weights_layout[COLUMN];

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			sum += input[input_at] * weights[weights_at];
			input_at += p->dilation_w * p->input_layout[COLUMN];
			weights_at += p->weights_layout[COLUMN];
		}
	}
	return sum;
}

/** All channels of one output pixel; `input` and `output` are of its image. */
static void write_pixel(const struct petite_conv2d_f32 *p, int32_t y, int32_t x, const float *input,
			float *output)
{
	const int32_t depth = p->input_c / p->groups;
	const int32_t outputs_per_group = p->output_c / p->groups;
	struct petite_window rows = petite_clip_window(y * p->stride_h - p->pad_top, p->dilation_h,
						       p->kernel_h, p->input_h);
	struct petite_window columns = petite_clip_window(x * p->stride_w - p->pad_left,
							  p->dilation_w, p->kernel_w, p->input_w);

	output += y * p->output_layout[ROW] + x * p->output_layout[COLUMN];
	for (int32_t o = 0; o < p->output_c; o++) {
		int32_t first = o / outputs_per_group * depth;
		const float *weights = p->weights + o * p->weights_layout[OUTER];
		float sum = 0.0f;

		for (int32_t c = 0; c < depth; c++) {
			sum = convolve(p, rows, columns,
				       input + (first + c) * p->input_layout[CHANNEL],
				       weights + c * p->weights_layout[CHANNEL], sum);
		}
		output[o * p->output_layout[CHANNEL]] = p->bias != NULL ? sum + p->bias[o] : sum;
	}
}

enum petite_status petite_conv2d_f32_scalar(const void *params)
{
	const struct petite_conv2d_f32 *p = params;

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
