/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "cells_s8_mve.h"

/* Where the assembly below looks for it. */
_Static_assert(sizeof(struct petite_cells) == 13 * 4, "13 words");
_Static_assert(offsetof(struct petite_cells, cells) == 8 * 4, "rows and steps come first");

/*
 * r0-r3  rows          r8-r11 steps to the next column
 * r4     cell          r6     cell of the column's first channel
 * r5     16 planes     r7     channels left
 * r12    bytes a cell  lr     columns left
 * q0-q3  16 channels of each row, then 4 words of 4 channels
 * q4-q7  where 16 planes start
 * sp     64 bytes of words, channels
 *
 * Bytes are interleaved through memory; a scatter of words then does in 4 elements what one of
 * bytes does in 16.
 */
/* At file level: no compiler may assume which registers survive it. */
__asm__(".pushsection .text.petite_cells_s8_mve, \"ax\", %progbits\n"
	".p2align 2\n"
	".thumb_func\n"
	".global petite_cells_s8_mve\n"
	".type petite_cells_s8_mve, %function\n"
	"petite_cells_s8_mve:\n"
	"	push {r4-r11, lr}\n"
	"	vpush {d8-d15}\n"
	"	sub sp, #68\n"
	"	ldrd r6, r12, [r0, #32]\n"
	"	ldrd r5, r7, [r0, #40]\n"
	"	ldr lr, [r0, #48]\n"
	"	str r7, [sp, #64]\n"
	"	movs r2, #0\n"
	"	vidup.u32 q4, r2, #1\n"
	"	vmul.i32 q4, q4, r5\n"
	"	lsls r5, #2\n"
	"	vadd.i32 q5, q4, r5\n"
	"	vadd.i32 q6, q5, r5\n"
	"	vadd.i32 q7, q6, r5\n"
	"	lsls r5, #2\n"
	"	ldrd r8, r9, [r0, #16]\n"
	"	ldrd r10, r11, [r0, #24]\n"
	"	ldm r0, {r0-r3}\n"
	"	dls lr, lr\n"
	/* A column. */
	"1:	mov r4, r6\n"
	"	ldr r7, [sp, #64]\n"
	/* 16 channels. */
	"2:	vctp.8 r7\n"
	"	vpstttt\n"
	"	vldrbt.u8 q0, [r0], #16\n"
	"	vldrbt.u8 q1, [r1], #16\n"
	"	vldrbt.u8 q2, [r2], #16\n"
	"	vldrbt.u8 q3, [r3], #16\n"
	"	vst40.8 {q0, q1, q2, q3}, [sp]\n"
	"	vst41.8 {q0, q1, q2, q3}, [sp]\n"
	"	vst42.8 {q0, q1, q2, q3}, [sp]\n"
	"	vst43.8 {q0, q1, q2, q3}, [sp]\n"
	"	vldrw.u32 q0, [sp]\n"
	"	vldrw.u32 q1, [sp, #16]\n"
	"	vstrw.32 q0, [r4, q4]\n"
	"	vldrw.u32 q2, [sp, #32]\n"
	"	vstrw.32 q1, [r4, q5]\n"
	"	vldrw.u32 q3, [sp, #48]\n"
	"	vstrw.32 q2, [r4, q6]\n"
	"	subs r7, #16\n"
	"	vstrw.32 q3, [r4, q7]\n"
	"	add r4, r5\n"
	"	bgt 2b\n"
	"	add r0, r8\n"
	"	add r1, r9\n"
	"	add r2, r10\n"
	"	add r3, r11\n"
	"	add r6, r12\n"
	"	le lr, 1b\n"
	"	add sp, #68\n"
	"	vpop {d8-d15}\n"
	"	pop {r4-r11, pc}\n"
	".size petite_cells_s8_mve, . - petite_cells_s8_mve\n"
	".popsection\n");

#endif
