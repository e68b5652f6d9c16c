/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <stddef.h>

#include "multiply_run_s8_dsp.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_run_dsp) == 10 * 4, "10 words");
_Static_assert(offsetof(struct petite_run_dsp, input) == 2 * 4, "2 words are moved on");
_Static_assert(offsetof(struct petite_run_dsp, multiplier) == 7 * 4, "multiplier and shift");
_Static_assert(PETITE_RUN_SEGMENT_DSP * 2 * 4 == 992, "the bytes of a segment");

/* Four inputs, with the weights of 4 outputs. Odd outputs' sums are mixed. */
#define TWO_PAIRS                                                                                  \
	"	ldrd r0, r1, [r12], #8\n"                                                                \
	"	ldm.w lr!, {r8-r11}\n"                                                                   \
	"	smlad r5, r0, r8, r5\n"                                                                  \
	"	uxtb16 r8, r8\n"                                                                         \
	"	smlad r7, r0, r9, r7\n"                                                                  \
	"	uxtb16 r9, r9\n"                                                                         \
	"	smlad r5, r1, r10, r5\n"                                                                 \
	"	uxtb16 r10, r10\n"                                                                       \
	"	smlad r7, r1, r11, r7\n"                                                                 \
	"	uxtb16 r11, r11\n"                                                                       \
	"	smlad r4, r0, r8, r4\n"                                                                  \
	"	smlad r6, r0, r9, r6\n"                                                                  \
	"	smlad r4, r1, r10, r4\n"                                                                 \
	"	smlad r6, r1, r11, r6\n"

#define FOUR_TIMES TWO_PAIRS TWO_PAIRS TWO_PAIRS TWO_PAIRS

/* As in multiply_pairs_s8_dsp.c. */
#define SCALE(sum, bias)                                                                           \
	"	add " sum ", " bias ", " sum ", lsl #1\n"                                          \
	"	smmulr " sum ", " sum ", r0\n"                                                     \
	"	add " sum ", " sum ", " sum ", asr #31\n"                                          \
	"	asr " sum ", " sum ", r1\n"                                                        \
	"	add " sum ", " sum ", r1, asr #16\n"                                               \
	"	ssat " sum ", #8, " sum ", asr #1\n"                                               \
	"	strb " sum ", [r12], #1\n"

#define FOUR_OUTPUTS SCALE("r4", "r8") SCALE("r5", "r9") SCALE("r6", "r10") SCALE("r7", "r11")

/*
 * r4 to r7  sums           r2  end of the segment  r3  the structure
 * r12       inputs         lr  weights, then biases
 * sp        sums of earlier segments
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_multiply_run_s8_dsp, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_multiply_run_s8_dsp\n"
	".type petite_multiply_run_s8_dsp, %function\n"
	"petite_multiply_run_s8_dsp:\n"
	"	push {r4-r11, lr}\n"
	"	sub sp, #20\n"
	"	mov r3, r0\n"
	"	ldr lr, [r3]\n"
	/* Four outputs. */
	"1:	ldrd r2, r1, [r3, #16]\n"
	"	ldr r12, [r3, #8]\n"
	"	ldr r4, [r3, #24]\n"
	"	mov r5, r4\n"
	"	mov r6, r4\n"
	"	mov r7, r4\n"
	"	adr r0, 2f\n"
	"	add r0, r1\n"
	"	bx r0\n"
	"	.p2align 2\n"
	/* Sixteen inputs. */
	"2:\n" FOUR_TIMES "	cmp r12, r2\n"
	"	bne 2b\n"
	/* The end of a segment: the odd outputs' sums from the mixed ones. */
	"	sub r5, r5, r4\n"
	"	asr r5, r5, #8\n"
	"	sub r7, r7, r6\n"
	"	asr r7, r7, #8\n"
	"	ldrd r0, r1, [r3, #12]\n"
	"	cmp r2, r1\n"
	"	beq 3f\n"
	"	ldm sp, {r8-r11}\n"
	"	add r4, r8\n"
	"	add r5, r9\n"
	"	add r6, r10\n"
	"	add r7, r11\n"
	"3:	cmp r2, r0\n"
	"	beq 4f\n"
	"	stm sp, {r4-r7}\n"
	"	mov r4, #0\n"
	"	mov r5, r4\n"
	"	mov r6, r4\n"
	"	mov r7, r4\n"
	"	add r2, r2, #992\n"
	"	b 2b\n"
	/* The sums are complete. */
	"4:	ldm lr!, {r8-r11}\n"
	"	ldrd r0, r1, [r3, #28]\n"
	"	ldr r12, [r3, #4]\n" FOUR_OUTPUTS "	ldr r0, [r3, #36]\n"
	"	str r12, [r3, #4]\n"
	"	subs r0, #1\n"
	"	str r0, [r3, #36]\n"
	"	bne 1b\n"
	"	str lr, [r3]\n"
	"	add sp, #20\n"
	"	pop {r4-r11, pc}\n"
	".size petite_multiply_run_s8_dsp, . - petite_multiply_run_s8_dsp\n"
	".popsection\n");

#endif
