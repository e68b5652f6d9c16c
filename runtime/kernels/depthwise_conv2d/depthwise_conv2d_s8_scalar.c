/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/requantize.h"
#include "../common/window.h"
#include "depthwise_conv2d_s8.h"

/** Sum over the window of one output channel; `input` and `weights` are of that channel. */
static uint32_t convolve(const struct petite_depthwise_conv2d_s8 *p, struct petite_window rows,
			 struct petite_window columns, const int8_t *input, const int8_t *weights,
			 uint32_t sum)
{
	const int32_t input_step = p->dilation_w * p->input_c;
	const int32_t weights_step = p->output_c;
	const uint32_t input_offset = (uint32_t)p->input_offset;
	int32_t input_row = (rows.start * p->input_w + columns.start) * p->input_c;
	int32_t weights_row = (rows.first * p->kernel_w + columns.first) * weights_step;

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		int32_t input_at = input_row;
		int32_t weights_at = weights_row;

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			sum += ((uint32_t)input[input_at] + input_offset) *
			       (uint32_t)weights[weights_at];
			input_at += input_step;
			weights_at += weights_step;
		}
		input_row += p->dilation_h * p->input_w * p->input_c;
		weights_row += p->kernel_w * weights_step;
	}
	return sum;
}

/** All channels of one output pixel. */
static void write_pixel(const struct petite_depthwise_conv2d_s8 *p, struct petite_window rows,
			struct petite_window columns, const int8_t *input,
			int32_t outputs_per_input, int8_t *output)
{
	int32_t left = outputs_per_input;

	for (int32_t o = 0; o < p->output_c; o++) {
		uint32_t sum = p->bias != NULL ? (uint32_t)p->bias[o] : 0;

		if (left == 0) {
			left = outputs_per_input;
			input++;
		}
		left--;
		sum = convolve(p, rows, columns, input, p->weights + o, sum);
		output[o] =
			petite_requantize_s8(sum, p->multiplier[o], p->shift[o], p->output_offset,
					     p->activation_min, p->activation_max);
	}
}

enum petite_status petite_depthwise_conv2d_s8_scalar(const void *params)
{
	const struct petite_depthwise_conv2d_s8 *p = params;
	const int32_t outputs_per_input = p->output_c / p->input_c;
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

				write_pixel(p, rows, columns, input, outputs_per_input, output);
				output += p->output_c;
			}
		}
		input += p->input_h * p->input_w * p->input_c;
	}
	return PETITE_OK;
}
