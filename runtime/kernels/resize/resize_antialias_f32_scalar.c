/* SPDX-License-Identifier: Apache-2.0 */
#include "resize_antialias_f32.h"

/** One channel of one output pixel; the input starts at the image's first pixel. */
static float weighted_sum(const struct petite_resize_antialias_f32 *p, const float *input,
			  int32_t y, int32_t x)
{
	const float *weights_h = p->weights_h_table + y * p->taps_h;
	const float *weights_w = p->weights_w_table + x * p->taps_w;
	const int32_t line = p->input_w * p->channels;
	const float *row = input + p->first_h_table[y] * line + p->first_w_table[x] * p->channels;
	float sum = 0.0f;

	for (int32_t i = 0; i < p->count_h_table[y]; i++) {
		for (int32_t j = 0; j < p->count_w_table[x]; j++) {
			sum += row[j * p->channels] * weights_h[i] * weights_w[j];
		}
		row += line;
	}
	return sum;
}

enum petite_status petite_resize_antialias_f32_scalar(const void *params)
{
	const struct petite_resize_antialias_f32 *p = params;
	const float *image = p->input;
	float *output = p->output;

	for (int32_t n = 0; n < p->images; n++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			for (int32_t x = 0; x < p->output_w; x++) {
				for (int32_t c = 0; c < p->channels; c++) {
					*output++ = weighted_sum(p, image + c, y, x);
				}
			}
		}
		image += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}
