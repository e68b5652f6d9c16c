/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "linear_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(offsetof(struct petite_linear_s8_mve, weights) == 1 * 4, "weights, bias");
_Static_assert(offsetof(struct petite_linear_s8_mve, in_features) == 5 * 4, "and out_features");
_Static_assert(offsetof(struct petite_linear_s8_mve, multiplier) == 7 * 4, "and shift");
_Static_assert(offsetof(struct petite_linear_s8_mve, output_offset) == 9 * 4, "and the range");

/** One row. In assembly, because pointers and sums fill the register file. */
void petite_linear_row_s8_mve(const struct petite_linear_s8_mve *p, const int8_t *input,
			      int8_t *output);

/* clang-format off */
/*
 * r0 r2 r4 r6  sums of four outputs        r3 r5 r12 r9 their weights
 * r1           input                       r8           in_features
 * r10          outputs left                r11          biases
 * r7           output                      lr           bytes left
 * q3 q7        activation_min and _max     q4 q5 q6     multiplier, shift, output_offset
 * sp           the input's start, and how far whole chunks reach beyond its end
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_linear_row_s8_mve, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_linear_row_s8_mve\n"
	".type petite_linear_row_s8_mve, %function\n"
	"petite_linear_row_s8_mve:\n"
	"	push {r4-r11, lr}\n"
	"	vpush {d8-d15}\n"
	"	mov r7, r2\n"
	"	ldrd r3, r11, [r0, #4]\n"
	"	ldrd r8, r10, [r0, #20]\n"
	"	ldrd r4, r5, [r0, #28]\n"
	"	vdup.32 q4, r4\n"
	"	vdup.32 q5, r5\n"
	"	ldrd r4, r5, [r0, #36]\n"
	"	ldr r6, [r0, #44]\n"
	"	vdup.32 q6, r4\n"
	"	vdup.32 q3, r5\n"
	"	vdup.32 q7, r6\n"
	"	rsb r2, r8, #0\n"
	"	and r2, #15\n"
	"	push {r1, r2}\n"
	/* Four outputs: the sums start with the biases. */
	"1:	ldr r1, [sp]\n"
	"	add r5, r3, r8\n"
	"	add r12, r5, r8\n"
	"	add r9, r12, r8\n"
	"	ldm r11!, {r0, r2, r4, r6}\n"
	"	dlstp.8 lr, r8\n"
	"2:	vldrb.u8 q0, [r1], #16\n"
	"	vldrb.u8 q1, [r3], #16\n"
	"	vmladava.s8 r0, q0, q1\n"
	"	vldrb.u8 q2, [r5], #16\n"
	"	vmladava.s8 r2, q0, q2\n"
	"	vldrb.u8 q1, [r12], #16\n"
	"	vmladava.s8 r4, q0, q1\n"
	"	vldrb.u8 q2, [r9], #16\n"
	"	vmladava.s8 r6, q0, q2\n"
	"	letp lr, 2b\n"
	"	vmov q0[2], q0[0], r0, r4\n"
	"	vmov q0[3], q0[1], r2, r6\n"
	/* Scale with two roundings: ties upwards, then ties away from zero. */
	"	vqrdmulh.s32 q0, q0, q4\n"
	"	ldr r0, [sp, #4]\n"
	"	vand q1, q0, q5\n"
	"	vshr.s32 q1, q1, #31\n"
	"	vadd.i32 q0, q0, q1\n"
	"	vrshl.s32 q0, q0, q5\n"
	"	vadd.i32 q0, q0, q6\n"
	"	vmax.s32 q0, q0, q3\n"
	"	sub r3, r9, r0\n"
	"	vmin.s32 q0, q0, q7\n"
	"	subs r10, #4\n"
	"	blt 3f\n"
	"	vstrb.32 q0, [r7], #4\n"
	"	bgt 1b\n"
	"	b 4f\n"
	/* The last one to three outputs. */
	"3:	add r10, #4\n"
	"	vctp.32 r10\n"
	"	vpst\n"
	"	vstrbt.32 q0, [r7]\n"
	"4:	add sp, #8\n"
	"	vpop {d8-d15}\n"
	"	pop {r4-r11, pc}\n"
	".size petite_linear_row_s8_mve, . - petite_linear_row_s8_mve\n"
	".popsection\n");
/* clang-format on */

enum petite_status petite_linear_s8_mve(const void *params)
{
	const struct petite_linear_s8_mve *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t left = p->rows; left > 0; left--) {
		petite_linear_row_s8_mve(p, input, output);
		input += p->in_features;
		output += p->out_features;
	}
	return PETITE_OK;
}

#endif
