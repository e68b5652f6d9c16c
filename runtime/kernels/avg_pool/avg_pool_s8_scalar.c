/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/average.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "avg_pool_s8.h"

static int32_t sum_window(const struct petite_avg_pool_s8 *p, struct petite_window rows,
			  struct petite_window columns, const int8_t *input)
{
	int32_t row = (rows.start * p->input_w + columns.start) * p->channels;
	int32_t sum = 0;

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		int32_t at = row;

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			sum += input[at];
			at += p->channels;
		}
		row += p->input_w * p->channels;
	}
	return sum;
}

/** All channels of one output pixel; `x` and `y` are where its window starts. */
static enum petite_status write_pixel(const struct petite_avg_pool_s8 *p, const int8_t *input,
				      int32_t y, int32_t x, int8_t *output)
{
	struct petite_window rows = petite_clip_window(y, 1, p->kernel_h, p->input_h);
	struct petite_window columns = petite_clip_window(x, 1, p->kernel_w, p->input_w);
	int32_t count = (rows.end - rows.first) * (columns.end - columns.first);
	int32_t padding_sum = 0;

	if (p->count_include_pad) {
		int32_t padded = petite_padded_length(y, p->kernel_h, p->input_h, p->pad_bottom) *
				 petite_padded_length(x, p->kernel_w, p->input_w, p->pad_right);

		padding_sum = (padded - count) * p->pad_value;
		count = padded;
	}
	if (count <= 0) {
		return PETITE_ERR_KERNEL;
	}
	for (int32_t c = 0; c < p->channels; c++) {
		int32_t sum = padding_sum + sum_window(p, rows, columns, input + c);

		output[c] = (int8_t)petite_clamp(petite_divide_away(sum, count), p->activation_min,
						 p->activation_max);
	}
	return PETITE_OK;
}

enum petite_status petite_avg_pool_s8_scalar(const void *params)
{
	const struct petite_avg_pool_s8 *p = params;
	enum petite_status status = PETITE_OK;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w && status == PETITE_OK; x++) {
				status = write_pixel(p, input, y * p->stride_h - p->pad_top,
						     x * p->stride_w - p->pad_left, output);
				output += p->channels;
			}
		}
		input += p->input_h * p->input_w * p->channels;
	}
	return status;
}
