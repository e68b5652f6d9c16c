/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/window.h"
#include "max_pool_f32.h"

/** One output; `y` and `x` are where its window starts. */
static float pool(const struct petite_max_pool_f32 *p, const float *plane, int32_t y, int32_t x)
{
	struct petite_window rows = petite_clip_window(y, p->dilation_h, p->kernel_h, p->input_h);
	struct petite_window columns =
		petite_clip_window(x, p->dilation_w, p->kernel_w, p->input_w);
	int32_t row = rows.start * p->input_w + columns.start;
	float largest = plane[row];

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		int32_t at = row;

		for (int32_t kx = columns.first; kx < columns.end; kx++) {
			if (plane[at] > largest) {
				largest = plane[at];
			}
			at += p->dilation_w;
		}
		row += p->dilation_h * p->input_w;
	}
	return largest;
}

enum petite_status petite_max_pool_f32_scalar(const void *params)
{
	const struct petite_max_pool_f32 *p = params;
	const float *plane = p->input;
	float *output = p->output;

	for (int32_t n = 0; n < p->planes; n++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w; x++) {
				*output++ = pool(p, plane, y * p->stride_h - p->pad_top,
						 x * p->stride_w - p->pad_left);
			}
		}
		plane += p->input_h * p->input_w;
	}
	return PETITE_OK;
}
