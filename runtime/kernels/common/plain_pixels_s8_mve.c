/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "plain_pixels_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(offsetof(struct petite_plain_pixels, output) == 13 * 4, "13 words for registers");
_Static_assert(offsetof(struct petite_plain_pixels, input) == 1 * 4, "the input is the second");
_Static_assert(offsetof(struct petite_plain_pixels, input_step) == 15 * 4, "two steps");
_Static_assert(offsetof(struct petite_plain_pixels, channels) == 17 * 4, "channels");
_Static_assert(offsetof(struct petite_plain_pixels, left) == 18 * 4, "left, multiplier, right");
_Static_assert(offsetof(struct petite_plain_pixels, output_offset) == 30 * 4, "and the range");

/* clang-format off */
/*
 * r0 r2 r4 r6  sums of four channels    r3 r5 r8 r10  their weights
 * r1           input                    r7            bytes of a row
 * r9           rows left                r11 r12       from row to row
 * q3 q4        multiplier, right shift  q5 q6 q7      output_offset, activation_min and _max
 * sp           the structure
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_plain_pixels_s8_mve, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_plain_pixels_s8_mve\n"
	".type petite_plain_pixels_s8_mve, %function\n"
	"petite_plain_pixels_s8_mve:\n"
	"	push {r4-r11, lr}\n"
	"	vpush {d8-d15}\n"
	"	push {r0, r1}\n"
	"	vldrw.u32 q3, [r0, #88]\n"
	"	vldrw.u32 q4, [r0, #104]\n"
	"	ldrd r1, r2, [r0, #120]\n"
	"	ldr r3, [r0, #128]\n"
	"	vdup.32 q5, r1\n"
	"	vdup.32 q6, r2\n"
	"	vdup.32 q7, r3\n"
	"	mov lr, r0\n"
	/* A pixel. */
	"1:	ldm lr, {r0-r12}\n"
	/* A row of its window. */
	"2:	wlstp.8 lr, r7, 4f\n"
	"3:	vldrb.u8 q0, [r1], #16\n"
	"	vldrb.u8 q1, [r3], #16\n"
	"	vmladava.s8 r0, q0, q1\n"
	"	vldrb.u8 q2, [r5], #16\n"
	"	vmladava.s8 r2, q0, q2\n"
	"	vldrb.u8 q1, [r8], #16\n"
	"	vmladava.s8 r4, q0, q1\n"
	"	vldrb.u8 q2, [r10], #16\n"
	"	vmladava.s8 r6, q0, q2\n"
	"	letp lr, 3b\n"
	"4:	subs r9, #1\n"
	"	beq 5f\n"
	"	add r1, r11\n"
	"	add r3, r12\n"
	"	add r5, r12\n"
	"	add r8, r12\n"
	"	add r10, r12\n"
	"	b 2b\n"
	"5:	ldr lr, [sp]\n"
	"	vmov q0[2], q0[0], r0, r4\n"
	"	vmov q0[3], q0[1], r2, r6\n"
	"	vldrw.u32 q1, [lr, #72]\n"
	/* Scale with two roundings: ties upwards, then ties away from zero. */
	"	vshl.s32 q0, q0, q1\n"
	"	ldrd r0, r1, [lr, #52]\n"
	"	vqrdmulh.s32 q0, q0, q3\n"
	"	ldrd r2, r3, [lr, #60]\n"
	"	vand q1, q0, q4\n"
	"	ldr r4, [lr, #4]\n"
	"	vshr.s32 q1, q1, #31\n"
	"	ldr r5, [lr, #68]\n"
	"	vadd.i32 q0, q0, q1\n"
	"	add r4, r2\n"
	"	vrshl.s32 q0, q0, q4\n"
	"	str r4, [lr, #4]\n"
	"	vadd.i32 q0, q0, q5\n"
	"	vmax.s32 q0, q0, q6\n"
	"	vmin.s32 q0, q0, q7\n"
	"	vctp.32 r5\n"
	"	vpst\n"
	"	vstrbt.32 q0, [r0]\n"
	"	add r0, r3\n"
	"	subs r1, #1\n"
	"	strd r0, r1, [lr, #52]\n"
	"	bne 1b\n"
	"	pop {r0, r1}\n"
	"	vpop {d8-d15}\n"
	"	pop {r4-r11, pc}\n"
	".size petite_plain_pixels_s8_mve, . - petite_plain_pixels_s8_mve\n"
	".popsection\n");
/* clang-format on */

void petite_plain_begin_s8_mve(struct petite_plain_block *block, int32_t channels,
			       const int8_t *weights, int32_t step, const int32_t *bias)
{
	block->channels = channels < PETITE_BLOCK ? channels : PETITE_BLOCK;
	for (int32_t i = 0; i < PETITE_BLOCK; i++) {
		int32_t channel = i < block->channels ? i : block->channels - 1;

		block->weights[i] = weights + channel * step;
		block->bias[i] = bias != NULL ? (uint32_t)bias[channel] : 0;
	}
}

void petite_plain_take_s8_mve(struct petite_plain_pixels *pixels,
			      const struct petite_plain_block *block, const uint32_t *sums,
			      int32_t at)
{
	pixels->channels = block->channels;
	pixels->sum0 = sums[0];
	pixels->sum1 = sums[1];
	pixels->sum2 = sums[2];
	pixels->sum3 = sums[3];
	pixels->weights0 = block->weights[0] + at;
	pixels->weights1 = block->weights[1] + at;
	pixels->weights2 = block->weights[2] + at;
	pixels->weights3 = block->weights[3] + at;
}

#endif
