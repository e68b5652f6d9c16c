/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "../common/bytes_mve.h"
#include "../common/requantize_mve.h"
#include "linear_s8_mve.h"

/** Outputs that are computed at once. */
#define BLOCK 4

/**
 * Four sums, each starting from its bias.
 *
 * @param weights Of the block; moved on to the next one.
 */
static inline int32x4_t multiply(const int8_t *input, const int8_t **weights, const int32_t *bias,
				 int32_t count)
{
	int32_t a = bias[0];
	int32_t b = bias[1];
	int32_t c = bias[2];
	int32_t d = bias[3];
	int32x4_t sums;

	/* Not every compiler finds the tail-predicated loop. */
	__asm__ volatile("	dlstp.8 lr, %[count]\n"
			 "1:	vldrb.u8 q0, [%[input]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[a], q0, q1\n"
			 "	vldrb.u8 q2, [%[weights]], #16\n"
			 "	vmladava.s8 %[b], q0, q2\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[c], q0, q1\n"
			 "	vldrb.u8 q2, [%[weights]], #16\n"
			 "	vmladava.s8 %[d], q0, q2\n"
			 "	letp lr, 1b\n"
			 "	vmov %q[sums][2], %q[sums][0], %[a], %[c]\n"
			 "	vmov %q[sums][3], %q[sums][1], %[b], %[d]\n"
			 : [input] "+r"(input), [weights] "+r"(*weights), [a] "+Te"(a),
			   [b] "+Te"(b), [c] "+Te"(c), [d] "+Te"(d), [sums] "=w"(sums)
			 : [count] "r"(count)
			 : "lr", "q0", "q1", "q2", "memory");
	return sums;
}

static void write_row(const struct petite_linear_s8_mve *p, const int8_t *input, int8_t *output)
{
	const int32x4_t multiplier = vdupq_n_s32(p->multiplier);
	const int32x4_t shift = vdupq_n_s32(p->shift);
	const int32x4_t low = vdupq_n_s32(p->activation_min);
	const int32x4_t high = vdupq_n_s32(p->activation_max);
	const int8_t *weights = p->weights;
	const int32_t *bias = p->bias;

	for (int32_t left = p->out_features; left > 0; left -= BLOCK) {
		int32x4_t result = multiply(input, &weights, bias, p->in_features);

		result = petite_requantize_mve(result, multiplier, shift);
		result = vaddq_n_s32(result, p->output_offset);
		result = vminq_s32(vmaxq_s32(result, low), high);
		petite_store_bytes_mve(output, result, left);
		bias += BLOCK;
		output += BLOCK;
	}
}

enum petite_status petite_linear_s8_mve(const void *params)
{
	const struct petite_linear_s8_mve *p = params;

	for (int32_t row = 0; row < p->rows; row++) {
		write_row(p, p->input + row * p->in_features, p->output + row * p->out_features);
	}
	return PETITE_OK;
}

#endif
