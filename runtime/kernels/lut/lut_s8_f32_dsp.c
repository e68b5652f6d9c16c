/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "lut_s8_f32.h"

/** Elements of a turn. */
#define BLOCK 4

enum petite_status petite_lut_s8_f32_dsp(const void *params)
{
	const struct petite_lut_s8_f32 *p = params;
	const float *const middle = p->table + 128;
	const int8_t *input = p->input;
	float *output = p->output;
	int32_t left = p->count;
	uint32_t a;
	uint32_t b;
	uint32_t c;
	uint32_t d;

	/* Compilers move each float through a float register, and compute its address. */
	for (; left >= BLOCK; left -= BLOCK) {
		__asm__ volatile("	ldrsb %[a], [%[input]], #4\n"
				 "	ldrsb %[b], [%[input], #-3]\n"
				 "	ldrsb %[c], [%[input], #-2]\n"
				 "	ldrsb %[d], [%[input], #-1]\n"
				 "	ldr %[a], [%[middle], %[a], lsl #2]\n"
				 "	ldr %[b], [%[middle], %[b], lsl #2]\n"
				 "	ldr %[c], [%[middle], %[c], lsl #2]\n"
				 "	ldr %[d], [%[middle], %[d], lsl #2]\n"
				 "	strd %[a], %[b], [%[output]], #16\n"
				 "	strd %[c], %[d], [%[output], #-8]\n"
				 : [input] "+&r"(input), [output] "+&r"(output), [a] "=&r"(a),
				   [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
				 : [middle] "r"(middle)
				 : "memory");
	}
	for (; left > 0; left--) {
		*output++ = middle[*input++];
	}
	return PETITE_OK;
}

#endif
