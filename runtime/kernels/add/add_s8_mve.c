/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "../common/requantize_mve.h"
#include "add_s8.h"

/**
 * Sums of two runs of equal length.
 *
 * Four elements a turn. The shift by 20 keeps the inputs' fractions through the first scaling.
 *
 * Not to be inlined: the loop takes all registers but those of the call.
 */
__attribute__((noinline)) static void add(const struct petite_add_s8 *p, const int8_t *a,
					  const int8_t *b, int8_t *output, int32_t count)
{
	const int32x4_t shift_a = vdupq_n_s32(p->input1_shift);
	const int32x4_t shift_b = vdupq_n_s32(p->input2_shift);
	const int32x4_t shift = vdupq_n_s32(p->shift);
	const int32x4_t low = vdupq_n_s32(p->activation_min);
	const int32x4_t high = vdupq_n_s32(p->activation_max);

	/* Compilers make twice the number of instructions of each turn. */
	__asm__ volatile(
		"	wlstp.32 lr, %[count], 2f\n"
		"1:	vldrb.s32 q0, [%[a]], #4\n"
		"	vldrb.s32 q1, [%[b]], #4\n"
		"	vadd.i32 q0, q0, %[offset_a]\n"
		"	vadd.i32 q1, q1, %[offset_b]\n"
		"	vshl.i32 q0, q0, #20\n"
		"	vshl.i32 q1, q1, #20\n"
		"	vqrdmulh.s32 q0, q0, %[multiplier_a]\n"
		"	vqrdmulh.s32 q1, q1, %[multiplier_b]\n" PETITE_ROUND_MVE("q0", "q2",
										 "%q[shift_a]")
			PETITE_ROUND_MVE(
				"q1", "q2",
				"%q[shift_b]") "	vadd.i32 q0, q0, q1\n"
					       "	vqrdmulh.s32 q0, q0, "
					       "%[multiplier]\n" PETITE_ROUND_MVE(
						       "q0", "q2",
						       "%q[shift]") "	vadd.i32 q0, q0, "
								    "%[offset]\n"
								    "	vmax.s32 q0, q0, %q[low]\n"
								    "	vmin.s32 q0, q0, %q[high]\n"
								    "	vstrb.32 q0, [%[output]], "
								    "#4\n"
								    "	letp lr, 1b\n"
								    "2:"
		: [a] "+l"(a), [b] "+l"(b), [output] "+l"(output)
		: [count] "r"(count), [offset_a] "r"(p->input1_offset),
		  [offset_b] "r"(p->input2_offset), [multiplier_a] "r"(p->input1_multiplier),
		  [multiplier_b] "r"(p->input2_multiplier), [multiplier] "r"(p->multiplier),
		  [offset] "r"(p->output_offset), [shift_a] "w"(shift_a), [shift_b] "w"(shift_b),
		  [shift] "w"(shift), [low] "w"(low), [high] "w"(high)
		: "lr", "q0", "q1", "q2", "memory");
}

enum petite_status petite_add_s8_mve(const void *params)
{
	const struct petite_add_s8 *p = params;

	for (int32_t i = 0; i < p->count; i += p->period) {
		add(p, p->input1 + i, p->input2, p->output + i, p->period);
	}
	return PETITE_OK;
}

#endif
