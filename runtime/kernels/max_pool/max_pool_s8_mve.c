/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "../common/window.h"
#include "max_pool_s8.h"

/** 16 channels of one output pixel. */
static int8x16_t largest(const struct petite_max_pool_s8 *p, struct petite_window rows,
			 struct petite_window columns, const int8_t *input, mve_pred16_t lanes)
{
	const int8_t *row = input + (rows.start * p->input_w + columns.start) * p->channels;
	int8x16_t result = vdupq_n_s8((int8_t)p->activation_min);

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		const int8_t *at = row;

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			result = vmaxq_s8(result, vldrbq_z_s8(at, lanes));
			at += p->dilation_w * p->channels;
		}
		row += p->dilation_h * p->input_w * p->channels;
	}
	return vminq_s8(result, vdupq_n_s8((int8_t)p->activation_max));
}

/** All channels of one output pixel; `x` and `y` are where its window starts. */
static void write_pixel(const struct petite_max_pool_s8 *p, const int8_t *input, int32_t y,
			int32_t x, int8_t *output)
{
	struct petite_window rows = petite_clip_window(y, p->dilation_h, p->kernel_h, p->input_h);
	struct petite_window columns =
		petite_clip_window(x, p->dilation_w, p->kernel_w, p->input_w);

	for (int32_t c = 0; c < p->channels; c += 16) {
		mve_pred16_t lanes = vctp8q((uint32_t)(p->channels - c));

		vstrbq_p_s8(output + c, largest(p, rows, columns, input + c, lanes), lanes);
	}
}

enum petite_status petite_max_pool_s8_mve(const void *params)
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

#endif
