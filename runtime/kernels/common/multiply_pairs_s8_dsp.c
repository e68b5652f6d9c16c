/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <stddef.h>

#include "multiply_pairs_s8_dsp.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_pairs_dsp) == 10 * 4, "10 words");
_Static_assert(offsetof(struct petite_pairs_dsp, input) == 3 * 4, "3 words are moved on");
_Static_assert(offsetof(struct petite_pairs_dsp, start) == 7 * 4, "start, and blocks behind it");
_Static_assert(PETITE_SEGMENT_DSP * 2 * 4 == 1984, "the bytes of a segment");

/* Two inputs of both pixels, with the weights of 4 channels. Odd channels' sums are mixed. */
#define PAIR                                                                                       \
	"	ldrd r0, r1, [r12], #8\n"                                                                \
	"	ldrd r2, r3, [lr], #8\n"                                                                 \
	"	smlad r5, r0, r2, r5\n"                                                                  \
	"	smlad r9, r1, r2, r9\n"                                                                  \
	"	uxtb16 r2, r2\n"                                                                         \
	"	smlad r7, r0, r3, r7\n"                                                                  \
	"	smlad r11, r1, r3, r11\n"                                                                \
	"	uxtb16 r3, r3\n"                                                                         \
	"	smlad r4, r0, r2, r4\n"                                                                  \
	"	smlad r8, r1, r2, r8\n"                                                                  \
	"	smlad r6, r0, r3, r6\n"                                                                  \
	"	smlad r10, r1, r3, r10\n"

#define EIGHT_PAIRS PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR

/* An odd channel's sum from the mixed one. */
#define UNMIX(odd, even)                                                                           \
	"	sub " odd ", " odd ", " even "\n"                                                  \
	"	asr " odd ", " odd ", #8\n"

#define UNMIX_ALL UNMIX("r5", "r4") UNMIX("r7", "r6") UNMIX("r9", "r8") UNMIX("r11", "r10")

/* Add the sums of earlier segments. */
#define RESUME(first, second, at)                                                                  \
	"	ldrd r1, r3, [sp, #" at "]\n"                                                      \
	"	add " first ", " first ", r1\n"                                                    \
	"	add " second ", " second ", r3\n"

#define RESUME_ALL                                                                                 \
	RESUME("r4", "r5", "8")                                                                    \
	RESUME("r6", "r7", "16")                                                                   \
	RESUME("r8", "r9", "24")                                                                   \
	RESUME("r10", "r11", "32")

/*
 * Twice the sum times the multiplier, rounded to its upper half, is the first rounding. The second
 * one adds half of what it divides by, and takes one from what is below zero: ties go away from
 * zero. The output's offset comes before the division's last bit.
 */
#define SCALE(sum, output)                                                                         \
	"	add " sum ", r0, " sum ", lsl #1\n"                                                \
	"	smmulr " sum ", " sum ", r1\n"                                                     \
	"	add " sum ", " sum ", " sum ", asr #31\n"                                          \
	"	asr " sum ", " sum ", r2\n"                                                        \
	"	add " sum ", " sum ", r2, asr #16\n"                                               \
	"	ssat " sum ", #8, " sum ", asr #1\n"                                               \
	"	strb " sum ", [" output "], #1\n"

#define CHANNEL(first, second)                                                                     \
	"	ldm lr!, {r0, r1, r2}\n" SCALE(first, "r3") SCALE(second, "r12")

#define FOUR_CHANNELS                                                                              \
	CHANNEL("r4", "r8")                                                                        \
	CHANNEL("r5", "r9")                                                                        \
	CHANNEL("r6", "r10")                                                                       \
	CHANNEL("r7", "r11")

/*
 * r4 to r7  sums of the first pixel       r8 to r11  of the second
 * r12       inputs                        lr         weights, then scales
 * sp        end of the segment, the structure, sums of earlier segments
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_multiply_pairs_s8_dsp, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_multiply_pairs_s8_dsp\n"
	".type petite_multiply_pairs_s8_dsp, %function\n"
	"petite_multiply_pairs_s8_dsp:\n"
	"	push {r4-r11, lr}\n"
	"	sub sp, #44\n"
	"	str r0, [sp, #4]\n"
	"	ldr lr, [r0]\n"
	/* Four channels. */
	"1:	ldr r12, [r0, #12]\n"
	"	ldrd r1, r2, [r0, #20]\n"
	"	ldrd r4, r8, [r0, #28]\n"
	"	str r1, [sp]\n"
	"	mov r5, r4\n"
	"	mov r6, r4\n"
	"	mov r7, r4\n"
	"	mov r9, r8\n"
	"	mov r10, r8\n"
	"	mov r11, r8\n"
	"	adr r3, 2f\n"
	"	add r3, r2\n"
	"	bx r3\n"
	"	.p2align 2\n"
	/* Eight pairs of inputs. */
	"2:\n" EIGHT_PAIRS "	ldr r0, [sp]\n"
	"	cmp r12, r0\n"
	"	bne 2b\n"
	/* The end of a segment. */
	UNMIX_ALL "	ldr r1, [sp, #4]\n"
	"	ldrd r2, r3, [r1, #16]\n"
	"	cmp r0, r3\n"
	"	beq 3f\n" RESUME_ALL "3:	cmp r0, r2\n"
	"	beq 4f\n"
	"	add r1, sp, #8\n"
	"	stm r1, {r4-r11}\n"
	"	add r0, r0, #1984\n"
	"	str r0, [sp]\n"
	"	mov r4, #0\n"
	"	mov r5, r4\n"
	"	mov r6, r4\n"
	"	mov r7, r4\n"
	"	mov r8, r4\n"
	"	mov r9, r4\n"
	"	mov r10, r4\n"
	"	mov r11, r4\n"
	"	b 2b\n"
	/* The sums are complete. */
	"4:	ldr r0, [sp, #4]\n"
	"	ldrd r3, r12, [r0, #4]\n" FOUR_CHANNELS "	ldr r0, [sp, #4]\n"
	"	ldr r1, [r0, #36]\n"
	"	strd r3, r12, [r0, #4]\n"
	"	subs r1, #1\n"
	"	str r1, [r0, #36]\n"
	"	bne 1b\n"
	"	str lr, [r0]\n"
	"	add sp, #44\n"
	"	pop {r4-r11, pc}\n"
	".size petite_multiply_pairs_s8_dsp, . - petite_multiply_pairs_s8_dsp\n"
	".popsection\n");

#endif
