/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "../common/average.h"
#include "../common/requantize.h"
#include "../common/window.h"
#include "avg_pool_s8.h"

/** Channels that are summed at once. */
#define BLOCK 4

/** Sums over the window, of as many channels as `lanes` says. */
static int32x4_t sum_window(const struct petite_avg_pool_s8 *p, struct petite_window rows,
			    struct petite_window columns, const int8_t *input, mve_pred16_t lanes)
{
	int32_t count = columns.end - columns.first;
	int32_t left = rows.end - rows.first;
	int32x4_t sums = vdupq_n_s32(0);

	input += (rows.start * p->input_w + columns.start) * p->channels;
	if (count == p->input_w) {
		/* Rows follow one another. */
		count *= left;
		left = 1;
	}
	if (count <= 0) {
		return sums;
	}
	for (; left > 0; left--) {
		const int8_t *at = input;
		uint32_t saved;

		/* Compilers move the predicate in every turn, and have no name for its register. */
		__asm__ volatile(
			"	vmrs %[saved], p0\n"
			"	vmsr p0, %[lanes]\n"
			"	dls lr, %[count]\n"
			"1:	vpst\n"
			"	vldrbt.s32 q0, [%[at]]\n"
			"	add %[at], %[channels]\n"
			"	vadd.i32 %q[sums], %q[sums], q0\n"
			"	le lr, 1b\n"
			"	vmsr p0, %[saved]\n"
			: [at] "+l"(at), [sums] "+w"(sums), [saved] "=&r"(saved)
			: [lanes] "r"(lanes), [count] "r"(count), [channels] "r"(p->channels)
			: "lr", "q0", "memory");
		input += p->input_w * p->channels;
	}
	return sums;
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
	for (int32_t c = 0; c < p->channels; c += BLOCK) {
		int32_t left = p->channels - c < BLOCK ? p->channels - c : BLOCK;
		int32_t sums[BLOCK];

		vstrwq_s32(sums, sum_window(p, rows, columns, input + c, vctp32q((uint32_t)left)));
		/* Helium has no division. */
		for (int32_t k = 0; k < left; k++) {
			int32_t mean = petite_divide_away(padding_sum + sums[k], count);

			output[c + k] =
				(int8_t)petite_clamp(mean, p->activation_min, p->activation_max);
		}
	}
	return PETITE_OK;
}

enum petite_status petite_avg_pool_s8_mve(const void *params)
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
