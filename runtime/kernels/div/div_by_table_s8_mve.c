/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "div_by_table_s8.h"

enum petite_status petite_div_by_table_s8_mve(const void *params)
{
	const struct petite_div_by_table_s8 *p = params;
	const int8_t *input1 = p->input1;
	const int8_t *input2 = p->input2;
	int8_t *output = p->output;
	const int32x4_t left = vdupq_n_s32(1 << 21);

	/*
	 * Four elements a turn. The upper word of the doubled product of n << 21 is the product
	 * shifted by 10. Of what narrowing leaves, the lowest byte of each lane is stored. (It has
	 * to be the narrowing that rounds: binutils 2.40 assembles VQSHRNB as that one.)
	 */
	__asm__ volatile("	wlstp.32 lr, %[count], 2f\n"
			 "1:	vldrb.u32 q1, [%[input2]], #4\n"
			 "	vldrb.s32 q0, [%[input1]], #4\n"
			 "	vldrw.u32 q2, [%[reciprocals], q1, uxtw #2]\n"
			 "	vmlas.s32 q0, %q[left], %[offset]\n"
			 "	vqdmlash.s32 q0, q2, %[output_offset]\n"
			 "	vqrshrnb.s32 q0, q0, #12\n"
			 "	vqmovnb.s16 q0, q0\n"
			 "	vstrb.32 q0, [%[output]], #4\n"
			 "	letp lr, 1b\n"
			 "2:"
			 : [input1] "+l"(input1), [input2] "+l"(input2), [output] "+l"(output)
			 : [count] "r"(p->count), [reciprocals] "r"(p->reciprocals),
			   [offset] "r"(p->input1_offset * (1 << 21)),
			   [output_offset] "r"(p->output_offset * (1 << 12)), [left] "w"(left)
			 : "lr", "q0", "q1", "q2", "memory");
	return PETITE_OK;
}

#endif
