/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/window.h"
#include "avg_pool_f32.h"

/** Positions of a window that lie inside the padded image, in one dimension. */
static int32_t padded_length(int32_t origin, int32_t kernel, int32_t size, int32_t pad)
{
	int32_t end = origin + kernel;

	return (end < size + pad ? end : size + pad) - origin;
}

static float divisor(const struct petite_avg_pool_f32 *p, int32_t y, int32_t x,
		     struct petite_window rows, struct petite_window columns)
{
	if (p->divisor != 0.0f) {
		return p->divisor;
	}
	if (p->count_include_pad) {
		return (float)(padded_length(y, p->kernel_h, p->input_h, p->pad_top) *
			       padded_length(x, p->kernel_w, p->input_w, p->pad_left));
	}
	return (float)((rows.end - rows.first) * (columns.end - columns.first));
}

/** One output; `y` and `x` are where its window starts. */
static float pool(const struct petite_avg_pool_f32 *p, const float *plane, int32_t y, int32_t x)
{
	struct petite_window rows = petite_clip_window(y, 1, p->kernel_h, p->input_h);
	struct petite_window columns = petite_clip_window(x, 1, p->kernel_w, p->input_w);
	const float *row = plane + rows.start * p->input_w + columns.start;
	float sum = 0.0f;

	for (int32_t ky = rows.first; ky < rows.end; ky++) {
		for (int32_t kx = 0; kx < columns.end - columns.first; kx++) {
			sum += row[kx];
		}
		row += p->input_w;
	}
	return sum / divisor(p, y, x, rows, columns);
}

enum petite_status petite_avg_pool_f32_scalar(const void *params)
{
	const struct petite_avg_pool_f32 *p = params;
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
