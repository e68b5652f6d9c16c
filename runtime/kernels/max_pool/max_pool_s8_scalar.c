/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "../common/window.h"
#include "max_pool_s8.h"

static int32_t largest(const struct petite_max_pool_s8 *p, struct petite_window rows,
		       struct petite_window columns, const int8_t *input)
{
	int32_t row = (rows.start * p->input_w + columns.start) * p->channels;
	int32_t result = INT8_MIN;

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		int32_t at = row;

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			if (input[at] > result) {
				result = input[at];
			}
			at += p->dilation_w * p->channels;
		}
		row += p->dilation_h * p->input_w * p->channels;
	}
	return result;
}

/** All channels of one output pixel; `x` and `y` are where its window starts. */
static void write_pixel(const struct petite_max_pool_s8 *p, const int8_t *input, int32_t y,
			int32_t x, int8_t *output)
{
	struct petite_window rows = petite_clip_window(y, p->dilation_h, p->kernel_h, p->input_h);
	struct petite_window columns =
		petite_clip_window(x, p->dilation_w, p->kernel_w, p->input_w);

	for (int32_t c = 0; c < p->channels; c++) {
		output[c] = (int8_t)petite_clamp(largest(p, rows, columns, input + c),
						 p->activation_min, p->activation_max);
	}
}

enum petite_status petite_max_pool_s8_scalar(const void *params)
{
	const struct petite_max_pool_s8 *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w; x++) {
				write_pixel(p, input, y * p->stride_h - p->pad_top,
					    x * p->stride_w - p->pad_left, output);
				output += p->channels;
			}
		}
		input += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}
