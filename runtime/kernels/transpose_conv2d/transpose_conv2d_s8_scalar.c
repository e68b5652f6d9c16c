/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/dot_s8.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "transpose_conv2d_s8.h"

/** Sum of one output element; `y` and `x` are its position in the output before cropping. */
static uint32_t convolve(const struct petite_transpose_conv2d_s8 *p, const int8_t *input,
			 const int8_t *weights, int32_t y, int32_t x, uint32_t sum)
{
	for (int32_t ky = 0; ky < p->kernel_h; ky++) {
		int32_t row =
			petite_transposed_source(y - ky * p->dilation_h, p->stride_h, p->input_h);

		for (int32_t kx = 0; row >= 0 && kx < p->kernel_w; kx++) {
			int32_t column = petite_transposed_source(x - kx * p->dilation_w,
								  p->stride_w, p->input_w);

			if (column >= 0) {
				sum = petite_dot_s8(input + (row * p->input_w + column) *
								    p->input_c,
						    weights + (ky * p->kernel_w + kx) * p->input_c,
						    p->input_c, (uint32_t)p->input_offset, sum);
			}
		}
	}
	return sum;
}

/** All channels of one output pixel. */
static void write_pixel(const struct petite_transpose_conv2d_s8 *p, const int8_t *input, int32_t y,
			int32_t x, int8_t *output)
{
	const int8_t *weights = p->weights;

	for (int32_t o = 0; o < p->output_c; o++) {
		uint32_t sum = p->bias != NULL ? (uint32_t)p->bias[o] : 0;

		sum = convolve(p, input, weights, y, x, sum);
		output[o] =
			petite_requantize_s8(sum, p->multiplier[o], p->shift[o], p->output_offset,
					     p->activation_min, p->activation_max);
		weights += p->kernel_h * p->kernel_w * p->input_c;
	}
}

enum petite_status petite_transpose_conv2d_s8_scalar(const void *params)
{
	const struct petite_transpose_conv2d_s8 *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w; x++) {
				write_pixel(p, input, y + p->pad_top, x + p->pad_left, output);
				output += p->output_c;
			}
		}
		input += p->input_h * p->input_w * p->input_c;
	}
	return PETITE_OK;
}
