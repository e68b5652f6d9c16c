/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "multiply_pairs_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_pairs) == 17 * 4, "17 words");
_Static_assert(offsetof(struct petite_pairs, skipped) == 11 * 4, "11 words go to the stack");
_Static_assert(offsetof(struct petite_pairs, input_step) == 15 * 4, "two steps come last");

/* clang-format off */
/* 16 bytes of both windows, with the weights of 4 channels: 56 bytes of code. A load stands beside
 * a multiplication wherever possible: the core does both at once.
 */
#define CHUNK                                                                                      \
	"	vldrb.u8 q0, [r1], #16\n"                                                          \
	"	vldrb.u8 q2, [r5], #16\n"                                                          \
	"	vmladava.s8 r0, q0, q2\n"                                                          \
	"	vldrb.u8 q1, [r3], #16\n"                                                          \
	"	vmladava.s8 r8, q1, q2\n"                                                          \
	"	vldrb.u8 q3, [r5], #16\n"                                                          \
	"	vmladava.s8 r2, q0, q3\n"                                                          \
	"	vldrb.u8 q2, [r5], #16\n"                                                          \
	"	vmladava.s8 r10, q1, q3\n"                                                         \
	"	vmladava.s8 r4, q0, q2\n"                                                          \
	"	vldrb.u8 q3, [r5], #16\n"                                                          \
	"	vmladava.s8 r12, q1, q2\n"                                                         \
	"	vmladava.s8 r6, q0, q3\n"                                                          \
	"	vmladava.s8 lr, q1, q3\n"

/*
 * Even registers are sums: r0 r2 r4 r6 of the first pixel's 4 channels, r8 r10 r12 lr of the
 * second's. (VMLADAVA can add to no others.)
 * r1 r3  the two windows          r5  packed weights   r7  where the first turn starts
 * r9     rows left                r11 turns left in the row
 * sp     the first 11 words of the structure, and its address
 * q0 q1  16 bytes of each window  q2 q3 weights of a channel
 * q4 q5 q6  activation_min, activation_max, output_offset
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_multiply_pairs_s8_mve, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_multiply_pairs_s8_mve\n"
	".type petite_multiply_pairs_s8_mve, %function\n"
	"petite_multiply_pairs_s8_mve:\n"
	"	push {r4-r11, lr}\n"
	"	vpush {d8-d13}\n"
	"	push {r0}\n"
	"	ldrd r1, r2, [r0, #48]\n"
	"	ldr r3, [r0, #56]\n"
	"	ldr r12, [r0, #44]\n"
	"	vdup.32 q6, r1\n"
	"	vdup.32 q4, r2\n"
	"	vdup.32 q5, r3\n"
	"	ldm r0, {r1-r11}\n"
	"	push {r1-r11}\n"
	/* A chunk's code has 56 bytes; the address of Thumb code is odd. */
	"	movs r2, #56\n"
	"	adr r7, 2f\n"
	"	mla r7, r12, r2, r7\n"
	"	adds r7, #1\n"
	/* Two pixels. */
	"0:	ldr r5, [sp, #32]\n"
	/* Four channels. */
	"1:	ldm sp, {r1, r3, r9, r11}\n"
	"	ldm r5, {r0, r2, r4, r6}\n"
	"	ldm r5!, {r8, r10, r12, lr}\n"
	"	bx r7\n"
	".p2align 2\n"
	"2:\n" CHUNK CHUNK CHUNK CHUNK
	"	subs r11, #1\n"
	"	bne 2b\n"
	"	subs r9, #1\n"
	"	beq 3f\n"
	"	ldr r11, [sp, #28]\n"
	"	add r1, r11\n"
	"	add r3, r11\n"
	"	ldr r11, [sp, #12]\n"
	"	bx r7\n"
	/* Scale with two roundings: ties upwards, then ties away from zero. */
	"3:	vmov q0[2], q0[0], r0, r4\n"
	"	vmov q0[3], q0[1], r2, r6\n"
	"	vmov q1[2], q1[0], r8, r12\n"
	"	vmov q1[3], q1[1], r10, lr\n"
	"	vldrw.u32 q2, [r5], #16\n"
	"	vldrb.s32 q3, [r5], #4\n"
	"	ldr r4, [sp, #40]\n"
	"	vqrdmulh.s32 q0, q0, q2\n"
	"	vqrdmulh.s32 q1, q1, q2\n"
	"	cbz r4, 4f\n"
	"	vand q2, q0, q3\n"
	"	vshr.s32 q2, q2, #31\n"
	"	vadd.i32 q0, q0, q2\n"
	"	vand q2, q1, q3\n"
	"	vshr.s32 q2, q2, #31\n"
	"	vadd.i32 q1, q1, q2\n"
	"4:	vrshl.s32 q0, q0, q3\n"
	"	vrshl.s32 q1, q1, q3\n"
	"	vadd.i32 q0, q0, q6\n"
	"	vadd.i32 q1, q1, q6\n"
	"	ldrd r0, r2, [sp, #16]\n"
	"	vmax.s32 q0, q0, q4\n"
	"	vmax.s32 q1, q1, q4\n"
	"	ldr r4, [sp, #24]\n"
	"	vmin.s32 q0, q0, q5\n"
	"	vmin.s32 q1, q1, q5\n"
	"	subs r4, #4\n"
	"	blt 6f\n"
	"	vstrb.32 q0, [r0], #4\n"
	"	vstrb.32 q1, [r2], #4\n"
	"	strd r0, r2, [sp, #16]\n"
	"	str r4, [sp, #24]\n"
	"	bgt 1b\n"
	"5:	ldr r4, [sp, #36]\n"
	"	subs r4, #1\n"
	"	beq 7f\n"
	"	str r4, [sp, #36]\n"
	"	ldr r6, [sp, #44]\n"
	"	ldrd r8, r10, [r6, #60]\n"
	"	ldrd r1, r3, [sp]\n"
	"	add r1, r8\n"
	"	add r3, r8\n"
	"	strd r1, r3, [sp]\n"
	"	add r0, r10\n"
	"	add r2, r10\n"
	"	strd r0, r2, [sp, #16]\n"
	"	ldr r4, [r6, #24]\n"
	"	str r4, [sp, #24]\n"
	"	b 0b\n"
	/* The last one to three channels. */
	"6:	adds r4, #4\n"
	"	vctp.32 r4\n"
	"	vpstt\n"
	"	vstrbt.32 q0, [r0], #4\n"
	"	vstrbt.32 q1, [r2], #4\n"
	"	b 5b\n"
	"7:	add sp, #48\n"
	"	vpop {d8-d13}\n"
	"	pop {r4-r11, pc}\n"
	".size petite_multiply_pairs_s8_mve, . - petite_multiply_pairs_s8_mve\n"
	".popsection\n");
/* clang-format on */

#endif
