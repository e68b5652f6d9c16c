/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/limit_s8_dsp.h"
#include "../common/requantize_s8_dsp.h"
#include "../common/widen_s8_dsp.h"
#include "mul_s8.h"

/** Elements of a turn. */
#define BLOCK 4

/** What is added to each element, in both halfwords. */
struct offsets {
	uint32_t a;
	uint32_t b;
};

static int32_t low_half(uint32_t pair)
{
	return (int16_t)pair;
}

static int32_t high_half(uint32_t pair)
{
	return (int32_t)pair >> 16;
}

/** Products of two runs of equal length. */
static void multiply(const struct petite_scale_dsp *scale, struct offsets offsets, const int8_t *a,
		     const int8_t *b, int8_t *output, int32_t count)
{
	for (; count >= BLOCK; count -= BLOCK) {
		uint32_t word_a;
		uint32_t word_b;
		uint32_t even_a;
		uint32_t even_b;
		uint32_t odd_a;
		uint32_t odd_b;

		memcpy(&word_a, a, BLOCK);
		memcpy(&word_b, b, BLOCK);
		even_a = petite_double_pair_dsp(petite_even_plus_dsp(offsets.a, word_a));
		odd_a = petite_double_pair_dsp(petite_odd_plus_dsp(offsets.a, word_a));
		even_b = petite_even_plus_dsp(offsets.b, word_b);
		odd_b = petite_odd_plus_dsp(offsets.b, word_b);
		output[0] = petite_requantize_s8_dsp(low_half(even_a) * low_half(even_b), scale);
		output[1] = petite_requantize_s8_dsp(low_half(odd_a) * low_half(odd_b), scale);
		output[2] = petite_requantize_s8_dsp(high_half(even_a) * high_half(even_b), scale);
		output[3] = petite_requantize_s8_dsp(high_half(odd_a) * high_half(odd_b), scale);
		a += BLOCK;
		b += BLOCK;
		output += BLOCK;
	}
	for (; count > 0; count--) {
		const int32_t product = (*a++ + low_half(offsets.a)) * (*b++ + low_half(offsets.b));

		*output++ = petite_requantize_s8_dsp(2 * product, scale);
	}
}

enum petite_status petite_mul_s8_dsp(const void *params)
{
	const struct petite_mul_s8 *p = params;
	const struct petite_scale_dsp scale =
		petite_scale_dsp_of(p->multiplier, p->shift, p->output_offset);
	const struct offsets offsets = {
		.a = petite_both_halves_dsp(p->input1_offset),
		.b = petite_both_halves_dsp(p->input2_offset),
	};

	for (int32_t i = 0; i < p->count; i += p->period) {
		multiply(&scale, offsets, p->input1 + i, p->input2, p->output + i, p->period);
	}
	petite_limit_s8_dsp(p->output, p->count, p->activation_min, p->activation_max);
	return PETITE_OK;
}

#endif
