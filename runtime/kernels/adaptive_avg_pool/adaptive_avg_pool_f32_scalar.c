/* SPDX-License-Identifier: Apache-2.0 */
#include "adaptive_avg_pool_f32.h"

/** First row (or column) of a window. */
static int32_t window_start(int32_t index, int32_t inputs, int32_t outputs)
{
	return (int32_t)((uint32_t)index * (uint32_t)inputs / (uint32_t)outputs);
}

/** The row (or column) after the last one of a window. */
static int32_t window_end(int32_t index, int32_t inputs, int32_t outputs)
{
	return (int32_t)((((uint32_t)index + 1) * (uint32_t)inputs + (uint32_t)outputs - 1) /
			 (uint32_t)outputs);
}

enum petite_status petite_adaptive_avg_pool_f32_scalar(const void *params)
{
	const struct petite_adaptive_avg_pool_f32 *p = params;
	const float *plane = p->input;
	float *output = p->output;

	for (int32_t n = 0; n < p->planes; n++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			int32_t top = window_start(y, p->input_h, p->output_h);
			int32_t bottom = window_end(y, p->input_h, p->output_h);

			for (int32_t x = 0; x < p->output_w; x++) {
				int32_t left = window_start(x, p->input_w, p->output_w);
				int32_t right = window_end(x, p->input_w, p->output_w);
				float sum = 0.0f;

				for (int32_t iy = top; iy < bottom; iy++) {
					for (int32_t ix = left; ix < right; ix++) {
						sum += plane[iy * p->input_w + ix];
					}
				}
				*output++ = sum / (float)((bottom - top) * (right - left));
			}
		}
		plane += p->input_h * p->input_w;
	}
	return PETITE_OK;
}
