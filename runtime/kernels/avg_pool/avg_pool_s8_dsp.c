/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/average.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "avg_pool_s8.h"

/** Channels that are summed at once, as the bytes of a word. */
#define BLOCK 4

/** What a pixel's window covers, and what its padding adds. */
struct cover {
	struct petite_window rows;
	struct petite_window columns;
	int32_t count;
	int32_t padding_sum;
};

/** Sums over the window of so many channels: BLOCK or fewer. Halfwords hold 256 bytes' sums. */
static inline void sum_window(const struct petite_avg_pool_s8 *p, const struct cover *cover,
			      const int8_t *input, int32_t sums[BLOCK], size_t channels)
{
	uint32_t even = 0;
	uint32_t odd = 0;

	input += (cover->rows.start * p->input_w + cover->columns.start) * p->channels;
	for (int32_t left = cover->rows.end - cover->rows.first; left > 0; left--) {
		const int8_t *at = input;

		for (int32_t k = cover->columns.end - cover->columns.first; k > 0; k--) {
			uint32_t word = 0;

			memcpy(&word, at, channels);
			__asm__("sxtab16 %0, %0, %1" : "+r"(even) : "r"(word));
			__asm__("sxtab16 %0, %0, %1, ror #8" : "+r"(odd) : "r"(word));
			at += p->channels;
		}
		input += p->input_w * p->channels;
	}
	sums[0] = (int16_t)even;
	sums[1] = (int16_t)odd;
	sums[2] = (int16_t)(even >> 16);
	sums[3] = (int16_t)(odd >> 16);
}

/** Some channels of a pixel: BLOCK or fewer. */
static inline void write_channels(const struct petite_avg_pool_s8 *p, const struct cover *cover,
				  const int8_t *input, int8_t *output, size_t channels)
{
	int32_t sums[BLOCK];

	sum_window(p, cover, input, sums, channels);
	for (size_t k = 0; k < channels; k++) {
		const int32_t mean = petite_divide_away(cover->padding_sum + sums[k], cover->count);

		output[k] = (int8_t)petite_clamp(mean, p->activation_min, p->activation_max);
	}
}

/** All channels of one output pixel; `x` and `y` are where its window starts. */
static enum petite_status write_pixel(const struct petite_avg_pool_s8 *p, const int8_t *input,
				      int32_t y, int32_t x, int8_t *output)
{
	struct cover cover = {
		.rows = petite_clip_window(y, 1, p->kernel_h, p->input_h),
		.columns = petite_clip_window(x, 1, p->kernel_w, p->input_w),
	};
	int32_t c = 0;

	cover.count =
		(cover.rows.end - cover.rows.first) * (cover.columns.end - cover.columns.first);
	if (p->count_include_pad) {
		int32_t padded = petite_padded_length(y, p->kernel_h, p->input_h, p->pad_bottom) *
				 petite_padded_length(x, p->kernel_w, p->input_w, p->pad_right);

		cover.padding_sum = (padded - cover.count) * p->pad_value;
		cover.count = padded;
	}
	if (cover.count <= 0) {
		return PETITE_ERR_KERNEL;
	}
	for (; c + BLOCK <= p->channels; c += BLOCK) {
		write_channels(p, &cover, input + c, output + c, BLOCK);
	}
	for (; c < p->channels; c++) {
		write_channels(p, &cover, input + c, output + c, 1);
	}
	return PETITE_OK;
}

enum petite_status petite_avg_pool_s8_dsp(const void *params)
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

#endif
