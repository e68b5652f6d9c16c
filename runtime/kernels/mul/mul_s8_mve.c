/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "../common/requantize_mve.h"
#include "mul_s8.h"

/** Products of two runs of equal length, four elements a turn. */
static void multiply(const struct petite_mul_s8 *p, const int8_t *a, const int8_t *b,
		     int8_t *output, int32_t count)
{
	const int32x4_t shift = vdupq_n_s32(p->shift);
	const int32x4_t low = vdupq_n_s32(p->activation_min);
	const int32x4_t high = vdupq_n_s32(p->activation_max);

	/* Compilers make twice the number of instructions of each turn. */
	__asm__ volatile("	wlstp.32 lr, %[count], 2f\n"
			 "1:	vldrb.s32 q0, [%[a]], #4\n"
			 "	vldrb.s32 q1, [%[b]], #4\n"
			 "	vadd.i32 q0, q0, %[offset_a]\n"
			 "	vadd.i32 q1, q1, %[offset_b]\n"
			 "	vmul.i32 q0, q0, q1\n"
			 "	vqrdmulh.s32 q0, q0, %[multiplier]\n" PETITE_ROUND_MVE(
				 "q0", "q1", "%q[shift]") "	vadd.i32 q0, q0, %[offset]\n"
							  "	vmax.s32 q0, q0, %q[low]\n"
							  "	vmin.s32 q0, q0, %q[high]\n"
							  "	vstrb.32 q0, [%[output]], #4\n"
							  "	letp lr, 1b\n"
							  "2:"
			 : [a] "+l"(a), [b] "+l"(b), [output] "+l"(output)
			 : [count] "r"(count), [offset_a] "r"(p->input1_offset),
			   [offset_b] "r"(p->input2_offset), [multiplier] "r"(p->multiplier),
			   [offset] "r"(p->output_offset), [shift] "w"(shift), [low] "w"(low),
			   [high] "w"(high)
			 : "lr", "q0", "q1", "memory");
}

enum petite_status petite_mul_s8_mve(const void *params)
{
	const struct petite_mul_s8 *p = params;

	for (int32_t i = 0; i < p->count; i += p->period) {
		multiply(p, p->input1 + i, p->input2, p->output + i, p->period);
	}
	return PETITE_OK;
}

#endif
