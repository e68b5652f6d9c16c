/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "resize_nearest.h"

static int32_t nearest(int32_t at, float scale, int32_t size)
{
	int32_t source = (int32_t)((float)at * scale);

	return source < size - 1 ? source : size - 1;
}

enum petite_status petite_resize_nearest_scalar(const void *params)
{
	const struct petite_resize_nearest *p = params;
	const uint8_t *image = p->input;
	uint8_t *output = p->output;

	for (int32_t n = 0; n < p->images; n++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			const uint8_t *row = image + nearest(y, p->scale_h, p->input_h) *
							     p->input_w * p->pixel_size;

			for (int32_t x = 0; x < p->output_w; x++) {
				int32_t column = nearest(x, p->scale_w, p->input_w);

				memcpy(output, row + column * p->pixel_size, (size_t)p->pixel_size);
				output += p->pixel_size;
			}
		}
		image += p->input_h * p->input_w * p->pixel_size;
	}
	return PETITE_OK;
}
