/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "multiply_cells_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(offsetof(struct petite_multiply_cells, has_lower) == 10 * 4, "11 words");
_Static_assert(offsetof(struct petite_multiply_cells, plane) == 5 * 4, "five words are moved on");

/* clang-format off */
/*
 * Scale with two roundings, ties upwards: the second one would round sums below zero otherwise, but
 * those end at -128 either way. Narrowing to 16 and to 8 bits limits the range.
 */
#define PIXEL(address, output)                                                                     \
	"	vldrb.u8 q7, [r5" address "\n"                                                     \
	"	vmladav.s8 r0, q7, q0\n"                                                           \
	"	vldrb.u8 q7, [r7" address "\n"                                                     \
	"	vmladav.s8 r2, q7, q1\n"                                                           \
	"	vldrb.u8 q7, [r9" address "\n"                                                     \
	"	vmladav.s8 r4, q7, q2\n"                                                           \
	"	vldrb.u8 q7, [r11" address "\n"                                                    \
	"	vmladav.s8 r6, q7, q3\n"                                                           \
	"	vmov q7[2], q7[0], r0, r4\n"                                                       \
	"	vmov q7[3], q7[1], r2, r6\n"                                                       \
	"	vadd.i32 q7, q7, q4\n"                                                             \
	"	vqrdmulh.s32 q7, q7, q5\n"                                                         \
	"	vrshl.s32 q7, q7, q6\n"                                                            \
	"	vadd.i32 q7, q7, r10\n"                                                            \
	"	vqmovnb.s32 q7, q7\n"                                                              \
	"	vqmovnb.s16 q7, q7\n"                                                              \
	"	vstrb.32 q7, [" output "]\n"                                                       \
	"	add " output ", r8\n"

/* Three columns of three weights, each of which becomes a word. */
#define WEIGHTS(vector, first, second, third)                                                      \
	"	ldr r1, [r0, #" first "]\n"                                                        \
	"	ldr r2, [r0, #" second "]\n"                                                       \
	"	ldr r3, [r0, #" third "]\n"                                                        \
	"	vmov " vector "[2], " vector "[0], r1, r3\n"                                       \
	"	vmov " vector "[3], " vector "[1], r2, r4\n"                                       \
	"	vbic.i32 " vector ", #0xff000000\n"

/*
 * r5 r7 r9 r11  windows of four channels   r0 r2 r4 r6  their sums
 * r1 r3         pixels of the two rows     r8           bytes from pixel to pixel
 * r10           output_offset              r12          the structure
 * q0-q3         weights                    q4 q5 q6     biases, multipliers, shifts
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_multiply_cells_s8_mve, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_multiply_cells_s8_mve\n"
	".type petite_multiply_cells_s8_mve, %function\n"
	"petite_multiply_cells_s8_mve:\n"
	"	push {r4-r12, lr}\n"
	"	vpush {d8-d15}\n"
	"	mov r12, r0\n"
	"	ldr r8, [r12, #24]\n"
	"	ldr r10, [r12, #36]\n"
	/* Four channels. */
	"1:	ldr r0, [r12, #12]\n"
	"	movs r4, #0\n"
	WEIGHTS("q0", "0", "3", "6")
	WEIGHTS("q1", "9", "12", "15")
	WEIGHTS("q2", "18", "21", "24")
	WEIGHTS("q3", "27", "30", "33")
	"	adds r0, #36\n"
	"	ldrd r5, r3, [r12]\n"
	"	ldr r1, [r12, #8]\n"
	"	ldrd r2, r6, [r12, #16]\n"
	"	vldrw.u32 q4, [r2], #16\n"
	"	vldrw.u32 q5, [r2], #16\n"
	"	vldrb.s32 q6, [r2], #4\n"
	"	add r7, r5, r6\n"
	"	add r9, r7, r6\n"
	"	add r11, r9, r6\n"
	"	add r6, r11\n"
	"	add r4, r3, #4\n"
	"	strd r6, r4, [r12]\n"
	"	add r4, r1, #4\n"
	"	strd r4, r0, [r12, #8]\n"
	"	str r2, [r12, #16]\n"
	"	ldrd lr, r0, [r12, #28]\n"
	"	subs r0, #1\n"
	"	str r0, [r12, #32]\n"
	"	ldr r0, [r12, #40]\n"
	"	dls lr, lr\n"
	"	cmp r0, #0\n"
	"	beq 3f\n"
	/* A pixel of both rows. */
	"2:\n" PIXEL(", #1]", "r3") PIXEL("], #4", "r1")
	"	le lr, 2b\n"
	"	b 4f\n"
	/* A pixel of one row. */
	"3:\n" PIXEL("], #8", "r1")
	"	le lr, 3b\n"
	"4:	ldr r0, [r12, #32]\n"
	"	cmp r0, #0\n"
	"	bne 1b\n"
	"	vpop {d8-d15}\n"
	"	pop {r4-r12, pc}\n"
	".size petite_multiply_cells_s8_mve, . - petite_multiply_cells_s8_mve\n"
	".popsection\n");
/* clang-format on */

#endif
