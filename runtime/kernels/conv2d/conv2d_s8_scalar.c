/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/dot_s8.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "conv2d_s8.h"

/** The part of a window that lies inside the image, as runs of adjacent bytes. */
struct patch {
	/** First byte inside the image and its weight, from the image's start and the filter's. */
	int32_t input_at;
	int32_t weights_at;
	int32_t rows;
	/** Runs in a row, and bytes in a run. */
	int32_t runs;
	int32_t run_length;
};

static struct patch cut_patch(const struct petite_conv2d_s8 *p, struct petite_window rows,
			      struct petite_window columns, int32_t depth)
{
	struct patch patch = {
		.input_at = (rows.start * p->input_w + columns.start) * p->input_c,
		.weights_at = (rows.first * p->kernel_w + columns.first) * depth,
		.rows = rows.end - rows.first,
		.runs = columns.end - columns.first,
		.run_length = depth,
	};

	/* Neighbouring columns follow one another in the input and in the weights: one long run. */
	if (p->dilation_w == 1 && p->groups == 1 && patch.runs > 0) {
		patch.run_length *= patch.runs;
		patch.runs = 1;
	}
	return patch;
}

static uint32_t convolve(const struct petite_conv2d_s8 *p, const struct patch *patch,
			 const int8_t *input, const int8_t *weights, int32_t depth, uint32_t sum)
{
	int32_t input_row = patch->input_at;
	int32_t weights_row = patch->weights_at;

	for (int32_t row = 0; row < patch->rows; row++) {
		int32_t input_at = input_row;
		int32_t weights_at = weights_row;

		for (int32_t run = 0; run < patch->runs; run++) {
			sum = petite_dot_s8(input + input_at, weights + weights_at,
					    patch->run_length, (uint32_t)p->input_offset, sum);
			input_at += p->dilation_w * p->input_c;
			weights_at += depth;
		}
		input_row += p->dilation_h * p->input_w * p->input_c;
		weights_row += p->kernel_w * depth;
	}
	return sum;
}

/** All channels of one output pixel. */
static void write_pixel(const struct petite_conv2d_s8 *p, const struct patch *patch,
			const int8_t *input, int32_t depth, int8_t *output)
{
	const int8_t *weights = p->weights;
	int32_t left_in_group = p->output_c / p->groups;

	for (int32_t o = 0; o < p->output_c; o++) {
		uint32_t sum = p->bias != NULL ? (uint32_t)p->bias[o] : 0;

		if (left_in_group == 0) {
			left_in_group = p->output_c / p->groups;
			input += depth;
		}
		left_in_group--;
		sum = convolve(p, patch, input, weights, depth, sum);
		output[o] =
			petite_requantize_s8(sum, p->multiplier[o], p->shift[o], p->output_offset,
					     p->activation_min, p->activation_max);
		weights += p->kernel_h * p->kernel_w * depth;
	}
}

enum petite_status petite_conv2d_s8_scalar(const void *params)
{
	const struct petite_conv2d_s8 *p = params;
	const int32_t depth = p->input_c / p->groups;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			struct petite_window rows =
				petite_clip_window(y * p->stride_h - p->pad_top, p->dilation_h,
						   p->kernel_h, p->input_h);

			for (int32_t x = 0; x < p->output_w; x++) {
				struct petite_window columns =
					petite_clip_window(x * p->stride_w - p->pad_left,
							   p->dilation_w, p->kernel_w, p->input_w);
				struct patch patch = cut_patch(p, rows, columns, depth);

				write_pixel(p, &patch, input, depth, output);
				output += p->output_c;
			}
		}
		input += p->input_h * p->input_w * p->input_c;
	}
	return PETITE_OK;
}
