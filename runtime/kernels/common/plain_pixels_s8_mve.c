/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>
#include <string.h>

#include <arm_mve.h>

#include "plain_pixels_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(offsetof(struct petite_plain_pixels, output) == 13 * 4, "13 words for registers");
_Static_assert(offsetof(struct petite_plain_pixels, input) == 1 * 4, "the input is the second");
_Static_assert(offsetof(struct petite_plain_pixels, input_step) == 15 * 4, "two steps");
_Static_assert(offsetof(struct petite_plain_pixels, channels) == 17 * 4, "channels");
_Static_assert(offsetof(struct petite_plain_pixels, left) == 18 * 4, "left, multiplier, right");
_Static_assert(offsetof(struct petite_plain_pixels, output_offset) == 30 * 4, "and the range");

/** Bytes from sum to sum. */
#define SUM_STEP 8
_Static_assert(offsetof(struct petite_plain_pixels, sum1) == SUM_STEP, "sums are alike apart");
_Static_assert(offsetof(struct petite_plain_pixels, sum3) == 3 * SUM_STEP, "the last one, too");

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
	const uint32_t last = channels < PETITE_BLOCK ? (uint32_t)channels - 1 : PETITE_BLOCK - 1;
	const uint32x4_t channel = vminq_u32(vidupq_n_u32(0, 1), vdupq_n_u32(last));
	const uint32x4_t at = vmulq_n_u32(channel, (uint32_t)step);
	const uint32x4_t starts = vaddq_n_u32(at, (uint32_t)(uintptr_t)weights);
	int32x4_t biases = vdupq_n_s32(0);

	if (bias != NULL) {
		biases = vldrwq_gather_shifted_offset_s32(bias, channel);
	}
	block->channels = (int32_t)last + 1;
	memcpy(block->weights, &starts, sizeof(block->weights));
	memcpy(block->bias, &biases, sizeof(block->bias));
}

void petite_plain_take_s8_mve(struct petite_plain_pixels *pixels,
			      const struct petite_plain_block *block, const uint32_t *sums,
			      int32_t at)
{
	static const uint32_t places[PETITE_BLOCK] = {
		offsetof(struct petite_plain_pixels, weights0),
		offsetof(struct petite_plain_pixels, weights1),
		offsetof(struct petite_plain_pixels, weights2),
		offsetof(struct petite_plain_pixels, weights3),
	};
	uint32_t *words = (uint32_t *)(void *)pixels;
	uint32x4_t starts;

	memcpy(&starts, block->weights, sizeof(starts));
	starts = vaddq_n_u32(starts, (uint32_t)at);
	vstrwq_scatter_offset_u32(words, vldrwq_u32(places), starts);
	vstrwq_scatter_offset_u32(words, vidupq_n_u32(0, SUM_STEP), vldrwq_u32(sums));
	pixels->channels = block->channels;
}

#endif
