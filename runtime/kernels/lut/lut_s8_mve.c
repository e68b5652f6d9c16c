/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "lut_s8.h"

enum petite_status petite_lut_s8_mve(const void *params)
{
	const struct petite_lut_s8 *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;
	const uint8x16_t middle = vdupq_n_u8(128);

	/* Compilers make more instructions of each turn. */
	__asm__ volatile("	wlstp.8 lr, %[count], 2f\n"
			 "1:	vldrb.u8 q0, [%[input]], #16\n"
			 "	veor q0, q0, %q[middle]\n"
			 "	vldrb.u8 q1, [%[table], q0]\n"
			 "	vstrb.8 q1, [%[output]], #16\n"
			 "	letp lr, 1b\n"
			 "2:"
			 : [input] "+r"(input), [output] "+r"(output)
			 : [count] "r"(p->count), [table] "r"(p->table), [middle] "w"(middle)
			 : "lr", "q0", "q1", "memory");
	return PETITE_OK;
}

#endif
