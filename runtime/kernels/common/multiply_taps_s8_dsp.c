/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <stddef.h>

#include "multiply_taps_s8_dsp.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_taps_dsp) == 7 * 4, "7 words");
_Static_assert(offsetof(struct petite_taps_dsp, taps) == 3 * 4, "3 words are moved on");

/* Two taps of 4 channels. */
#define PAIR                                                                                       \
	"	ldrd r0, r1, [r12], #8\n"                                                                \
	"	ldr.w r0, [r0, r3]\n"                                                                    \
	"	ldr.w r1, [r1, r3]\n"                                                                    \
	"	ldm.w lr!, {r8-r11}\n"                                                                   \
	"	pkhbt r2, r0, r1, lsl #16\n"                                                             \
	"	pkhtb r0, r1, r0, asr #16\n"                                                             \
	"	sxtb16 r1, r2\n"                                                                         \
	"	smlad r4, r1, r8, r4\n"                                                                  \
	"	sxtb16 r2, r2, ror #8\n"                                                                 \
	"	smlad r5, r2, r9, r5\n"                                                                  \
	"	sxtb16 r1, r0\n"                                                                         \
	"	smlad r6, r1, r10, r6\n"                                                                 \
	"	sxtb16 r0, r0, ror #8\n"                                                                 \
	"	smlad r7, r0, r11, r7\n"

#define FIVE_PAIRS PAIR PAIR PAIR PAIR PAIR

/* As in multiply_pairs_s8_dsp.c. */
#define SCALE(sum)                                                                                 \
	"	ldrd r0, r1, [lr], #8\n"                                                                 \
	"	smmulr " sum ", " sum ", r0\n"                                                     \
	"	add " sum ", " sum ", " sum ", asr #31\n"                                          \
	"	asr " sum ", " sum ", r1\n"                                                        \
	"	add " sum ", " sum ", r1, asr #16\n"                                               \
	"	ssat " sum ", #8, " sum ", asr #1\n"                                               \
	"	strb " sum ", [r8], #1\n"

#define FOUR_CHANNELS SCALE("r4") SCALE("r5") SCALE("r6") SCALE("r7")

/*
 * r4 to r7  sums, from twice the bias on       r3  the first of the channels
 * r12       taps                               lr  biases, weights, scales
 * sp        the end of the taps, the structure
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_multiply_taps_s8_dsp, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_multiply_taps_s8_dsp\n"
	".type petite_multiply_taps_s8_dsp, %function\n"
	"petite_multiply_taps_s8_dsp:\n"
	"	push {r4-r11, lr}\n"
	"	sub sp, #12\n"
	"	ldr r1, [r0, #16]\n"
	"	strd r1, r0, [sp]\n"
	"	ldr r3, [r0, #8]\n"
	"	ldr lr, [r0]\n"
	/* Four channels. */
	"1:	ldr r12, [r0, #12]\n"
	"	ldr r1, [r0, #20]\n"
	"	ldm lr!, {r4-r7}\n"
	"	adr r2, 2f\n"
	"	add r2, r1\n"
	"	bx r2\n"
	"	.p2align 2\n"
	/* Ten taps. */
	"2:\n" FIVE_PAIRS "	ldr r0, [sp]\n"
	"	cmp r12, r0\n"
	"	bne 2b\n"
	"	ldr r2, [sp, #4]\n"
	"	ldr r8, [r2, #4]\n" FOUR_CHANNELS "	mov r0, r2\n"
	"	ldr r1, [r0, #24]\n"
	"	str r8, [r0, #4]\n"
	"	adds r3, #4\n"
	"	subs r1, #1\n"
	"	str r1, [r0, #24]\n"
	"	bne 1b\n"
	"	str r3, [r0, #8]\n"
	"	str lr, [r0]\n"
	"	add sp, #12\n"
	"	pop {r4-r11, pc}\n"
	".size petite_multiply_taps_s8_dsp, . - petite_multiply_taps_s8_dsp\n"
	".popsection\n");

#endif
