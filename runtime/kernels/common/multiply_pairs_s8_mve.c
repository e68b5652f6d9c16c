/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "multiply_pairs_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_pairs) == 17 * 4, "17 words");
_Static_assert(offsetof(struct petite_pairs, weights) == 8 * 4, "8 words go to the stack");
_Static_assert(offsetof(struct petite_pairs, count) == 13 * 4, "count, and two steps");

/*
 * Even registers are sums: r0 r2 r4 r6 of the first pixel's 4 channels, r8 r10 r12 lr of the
 * second's. (VMLADAVA can add to no others.)
 * r1 r3  the two windows          r5  weights     r11 chunks left in the row
 * r9     rows left                r7  scales
 * sp     the first 8 words of the structure, its address, pairs left, has_negatives
 * q0 q1  16 bytes of each window  q2 q3 weights of a channel
 * q4 q5 q6  activation_min, activation_max, output_offset
 *
 * A load stands beside a multiplication wherever possible: the core does both at once.
 */
/* 16 bytes of both windows, with the weights of 4 channels. */
#define CHUNK                                                                                      \
	"	vldrb.u8 q0, [r1], #16\n"                                                                \
	"	vldrb.u8 q2, [r5], #16\n"                                                                \
	"	vmladava.s8 r0, q0, q2\n"                                                                \
	"	vldrb.u8 q1, [r3], #16\n"                                                                \
	"	vmladava.s8 r8, q1, q2\n"                                                                \
	"	vldrb.u8 q3, [r5], #16\n"                                                                \
	"	vmladava.s8 r2, q0, q3\n"                                                                \
	"	vldrb.u8 q2, [r5], #16\n"                                                                \
	"	vmladava.s8 r10, q1, q3\n"                                                               \
	"	vmladava.s8 r4, q0, q2\n"                                                                \
	"	vldrb.u8 q3, [r5], #16\n"                                                                \
	"	vmladava.s8 r12, q1, q2\n"                                                               \
	"	vmladava.s8 r6, q0, q3\n"                                                                \
	"	vmladava.s8 lr, q1, q3\n"

#define MULTIPLY_PAIRS(name, chunks)                                                               \
	__asm__(".pushsection .text." name ", \"ax\", %progbits\n"                                 \
		".p2align 2\n"                                                                     \
		".thumb_func\n"                                                                    \
		".global " name "\n"                                                               \
		".type " name ", %function\n" name ":\n"                                           \
		"	push {r4-r11, lr}\n"                                                             \
		"	vpush {d8-d13}\n"                                                                \
		"	ldr r1, [r0, #52]\n"                                                             \
		"	ldr r2, [r0, #64]\n"                                                             \
		"	push {r0-r2}\n"                                                                  \
		"	ldrd r1, r2, [r0, #40]\n"                                                        \
		"	ldr r3, [r0, #48]\n"                                                             \
		"	vdup.32 q6, r1\n"                                                                \
		"	vdup.32 q4, r2\n"                                                                \
		"	vdup.32 q5, r3\n"                                                                \
		"	ldm r0, {r1-r8}\n"                                                               \
		"	push {r1-r8}\n" /* Two pixels. */                                          \
		"0:	ldr r0, [sp, #32]\n"                                                           \
		"	ldrd r5, r7, [r0, #32]\n" /* Four channels: the sums start with the        \
						     biases. */                                    \
		"1:	ldrd r1, r3, [sp]\n"                                                           \
		"	ldrd r11, r9, [sp, #8]\n"                                                        \
		"	ldrd r0, r2, [r7]\n"                                                             \
		"	ldrd r4, r6, [r7, #8]\n"                                                         \
		"	ldrd r8, r10, [r7]\n"                                                            \
		"	ldrd r12, lr, [r7, #8]\n"                                                        \
		"2:" chunks "	subs r11, #1\n"                                                      \
		"	bne 2b\n"                                                                        \
		"	subs r9, #1\n"                                                                   \
		"	beq 3f\n"                                                                        \
		"	ldr r11, [sp, #16]\n"                                                            \
		"	add r1, r11\n"                                                                   \
		"	add r3, r11\n"                                                                   \
		"	ldr r11, [sp, #8]\n"                                                             \
		"	b 2b\n" /* Scale with two roundings: ties upwards, then ties away from     \
				   zero. */                                                        \
		"3:	vmov q0[2], q0[0], r0, r4\n"                                                   \
		"	vmov q0[3], q0[1], r2, r6\n"                                                     \
		"	vmov q1[2], q1[0], r8, r12\n"                                                    \
		"	vmov q1[3], q1[1], r10, lr\n"                                                    \
		"	vldrw.u32 q2, [r7, #16]\n"                                                       \
		"	vldrb.s32 q3, [r7, #32]\n"                                                       \
		"	ldr r0, [sp, #40]\n"                                                             \
		"	vqrdmulh.s32 q0, q0, q2\n"                                                       \
		"	vqrdmulh.s32 q1, q1, q2\n"                                                       \
		"	cbz r0, 4f\n"                                                                    \
		"	vand q2, q0, q3\n"                                                               \
		"	vshr.s32 q2, q2, #31\n"                                                          \
		"	vadd.i32 q0, q0, q2\n"                                                           \
		"	vand q2, q1, q3\n"                                                               \
		"	vshr.s32 q2, q2, #31\n"                                                          \
		"	vadd.i32 q1, q1, q2\n"                                                           \
		"4:	vrshl.s32 q0, q0, q3\n"                                                        \
		"	vrshl.s32 q1, q1, q3\n"                                                          \
		"	vadd.i32 q0, q0, q6\n"                                                           \
		"	vadd.i32 q1, q1, q6\n"                                                           \
		"	vmax.s32 q0, q0, q4\n"                                                           \
		"	vmax.s32 q1, q1, q4\n"                                                           \
		"	ldrd r0, r2, [sp, #20]\n"                                                        \
		"	vmin.s32 q0, q0, q5\n"                                                           \
		"	ldr r4, [sp, #28]\n"                                                             \
		"	vmin.s32 q1, q1, q5\n"                                                           \
		"	vctp.32 r4\n"                                                                    \
		"	vpstt\n"                                                                         \
		"	vstrbt.32 q0, [r0], #4\n"                                                        \
		"	vstrbt.32 q1, [r2], #4\n"                                                        \
		"	subs r4, #4\n"                                                                   \
		"	strd r0, r2, [sp, #20]\n"                                                        \
		"	add r7, #36\n"                                                                   \
		"	str r4, [sp, #28]\n"                                                             \
		"	bgt 1b\n"                                                                        \
		"	ldr r4, [sp, #36]\n"                                                             \
		"	subs r4, #1\n"                                                                   \
		"	beq 5f\n"                                                                        \
		"	str r4, [sp, #36]\n"                                                             \
		"	ldr r6, [sp, #32]\n"                                                             \
		"	ldrd r8, r10, [r6, #56]\n"                                                       \
		"	ldrd r1, r3, [sp]\n"                                                             \
		"	add r1, r8\n"                                                                    \
		"	add r3, r8\n"                                                                    \
		"	strd r1, r3, [sp]\n"                                                             \
		"	add r0, r10\n"                                                                   \
		"	add r2, r10\n"                                                                   \
		"	strd r0, r2, [sp, #20]\n"                                                        \
		"	ldr r4, [r6, #28]\n"                                                             \
		"	str r4, [sp, #28]\n"                                                             \
		"	b 0b\n"                                                                          \
		"5:	add sp, #44\n"                                                                 \
		"	vpop {d8-d13}\n"                                                                 \
		"	pop {r4-r11, pc}\n"                                                              \
		".size " name ", . - " name "\n"                                                   \
		".popsection\n")

/* At file level: no compiler may assume which registers survive it. */
MULTIPLY_PAIRS("petite_multiply_pairs_s8_mve", CHUNK);
MULTIPLY_PAIRS("petite_multiply_pairs_by_3_s8_mve", CHUNK CHUNK CHUNK);

#endif
