/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/extreme_s8_dsp.h"
#include "../common/limit_s8_dsp.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "max_pool_s8.h"

/** Channels that are compared at once, as the bytes of a word. */
#define BLOCK 4

/** The maxima of a window, of so many channels: BLOCK or fewer. */
static inline uint32_t largest(const struct petite_max_pool_s8 *p, struct petite_window rows,
			       struct petite_window columns, const int8_t *input, size_t channels)
{
	const int32_t step = p->dilation_w * p->channels;
	uint32_t result = 0x80808080;

	input += (rows.start * p->input_w + columns.start) * p->channels;
	for (int32_t left = rows.end - rows.first; left > 0; left--) {
		const int8_t *at = input;

		for (int32_t k = columns.end - columns.first; k > 0; k--) {
			uint32_t word = 0;

			memcpy(&word, at, channels);
			result = petite_larger_s8_dsp(word, result);
			at += step;
		}
		input += p->dilation_h * p->input_w * p->channels;
	}
	return result;
}

/** All channels of one output pixel; `x` and `y` are where its window starts. */
static void write_pixel(const struct petite_max_pool_s8 *p, const int8_t *input, int32_t y,
			int32_t x, int8_t *output)
{
	const struct petite_window rows =
		petite_clip_window(y, p->dilation_h, p->kernel_h, p->input_h);
	const struct petite_window columns =
		petite_clip_window(x, p->dilation_w, p->kernel_w, p->input_w);
	int32_t c = 0;

	for (; c + BLOCK <= p->channels; c += BLOCK) {
		const uint32_t result = largest(p, rows, columns, input + c, BLOCK);

		memcpy(output + c, &result, BLOCK);
	}
	for (; c < p->channels; c++) {
		const uint32_t result = largest(p, rows, columns, input + c, 1);

		memcpy(output + c, &result, 1);
	}
	petite_limit_s8_dsp(output, p->channels, p->activation_min, p->activation_max);
}

enum petite_status petite_max_pool_s8_dsp(const void *params)
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
