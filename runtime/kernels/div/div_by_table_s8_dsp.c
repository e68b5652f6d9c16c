/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "div_by_table_s8.h"

/* The upper word of (n << 22) * reciprocal is the product shifted by 10. */
#define ELEMENT                                                                                    \
	"	ldrsb %[n], [%[input1]], #1\n"                                                           \
	"	ldrb %[reciprocal], [%[input2]], #1\n"                                                   \
	"	add %[n], %[offset], %[n], lsl #22\n"                                                    \
	"	ldr %[reciprocal], [%[reciprocals], %[reciprocal], lsl #2]\n"                            \
	"	smmla %[n], %[n], %[reciprocal], %[rounding]\n"                                          \
	"	ssat %[n], #8, %[n], asr #12\n"                                                          \
	"	strb %[n], [%[output]], #1\n"

enum petite_status petite_div_by_table_s8_dsp(const void *params)
{
	const struct petite_div_by_table_s8 *p = params;
	const int8_t *input1 = p->input1;
	const int8_t *input2 = p->input2;
	int8_t *output = p->output;
	int32_t count = p->count;
	int32_t n;
	int32_t reciprocal;

	/* Four at a turn; before the first turn, what a division by four leaves. */
	__asm__ volatile(
		"	ands %[n], %[count], #3\n"
		"	beq 2f\n"
		"1:	sub %[count], %[count], #1\n" ELEMENT "	tst %[count], #3\n"
		"	bne 1b\n"
		"2:	cbz %[count], 4f\n"
		"3:\n" ELEMENT ELEMENT ELEMENT ELEMENT "	subs %[count], %[count], #4\n"
		"	bne 3b\n"
		"4:"
		: [input1] "+&r"(input1), [input2] "+&r"(input2), [output] "+&r"(output),
		  [count] "+&l"(count), [n] "=&r"(n), [reciprocal] "=&r"(reciprocal)
		: [reciprocals] "r"(p->reciprocals), [offset] "r"(p->input1_offset * (1 << 22)),
		  [rounding] "r"(p->output_offset * (1 << 12) + (1 << 11))
		: "cc", "memory");
	return PETITE_OK;
}

#endif
