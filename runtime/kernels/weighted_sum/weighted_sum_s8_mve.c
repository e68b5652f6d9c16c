/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "weighted_sum_s8.h"

/** Sums of two runs of equal length, four elements a turn. */
static void add(const struct petite_weighted_sum_s8 *p, const int8_t *a, const int8_t *b,
		int8_t *output, int32_t count)
{
	const int32x4_t weight = vdupq_n_s32(p->weight1);
	const int32x4_t low = vdupq_n_s32(p->activation_min);
	const int32x4_t high = vdupq_n_s32(p->activation_max);

	/* Compilers make more instructions of each turn. */
	__asm__ volatile(
		"	wlstp.32 lr, %[count], 2f\n"
		"1:	vldrb.s32 q0, [%[a]], #4\n"
		"	vmlas.s32 q0, %q[weight], %[bias]\n"
		"	vldrb.s32 q1, [%[b]], #4\n"
		"	vmla.s32 q0, q1, %[weight2]\n"
		"	vshl.s32 q0, %[left]\n"
		"	vmax.s32 q0, q0, %q[low]\n"
		"	vmin.s32 q0, q0, %q[high]\n"
		"	vstrb.32 q0, [%[output]], #4\n"
		"	letp lr, 1b\n"
		"2:"
		: [a] "+l"(a), [b] "+l"(b), [output] "+l"(output)
		: [count] "r"(count), [bias] "r"(p->bias), [weight2] "r"(p->weight2),
		  [left] "r"(-p->shift), [weight] "w"(weight), [low] "w"(low), [high] "w"(high)
		: "lr", "q0", "q1", "memory");
}

enum petite_status petite_weighted_sum_s8_mve(const void *params)
{
	const struct petite_weighted_sum_s8 *p = params;

	for (int32_t i = 0; i < p->count; i += p->period) {
		add(p, p->input1 + i, p->input2, p->output + i, p->period);
	}
	return PETITE_OK;
}

#endif
