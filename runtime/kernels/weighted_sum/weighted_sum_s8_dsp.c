/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "../common/limit_s8_dsp.h"
#include "weighted_sum_s8.h"

#define ELEMENT                                                                                    \
	"	ldrsb %[sum], [%[a]], #1\n"                                                              \
	"	ldrsb %[other], [%[b]], #1\n"                                                            \
	"	mla %[sum], %[sum], %[weight1], %[bias]\n"                                               \
	"	mla %[sum], %[other], %[weight2], %[sum]\n"                                              \
	"	asr %[sum], %[sum], %[shift]\n"                                                          \
	"	ssat %[sum], #8, %[sum]\n"                                                               \
	"	strb %[sum], [%[output]], #1\n"

/** Sums of two runs of equal length. */
static void add(const struct petite_weighted_sum_s8 *p, const int8_t *a, const int8_t *b,
		int8_t *output, int32_t count)
{
	int32_t sum;
	int32_t other;

	/* Four at a turn; before the first turn, what a division by four leaves. */
	__asm__ volatile("	ands %[sum], %[count], #3\n"
			 "	beq 2f\n"
			 "1:	sub %[count], %[count], #1\n" ELEMENT "	tst %[count], #3\n"
			 "	bne 1b\n"
			 "2:	cbz %[count], 4f\n"
			 "3:\n" ELEMENT ELEMENT ELEMENT ELEMENT
			 "	subs %[count], %[count], #4\n"
			 "	bne 3b\n"
			 "4:"
			 : [a] "+&r"(a), [b] "+&r"(b), [output] "+&r"(output), [count] "+&l"(count),
			   [sum] "=&r"(sum), [other] "=&r"(other)
			 : [weight1] "r"(p->weight1), [weight2] "r"(p->weight2),
			   [bias] "r"(p->bias), [shift] "r"(p->shift)
			 : "cc", "memory");
}

enum petite_status petite_weighted_sum_s8_dsp(const void *params)
{
	const struct petite_weighted_sum_s8 *p = params;

	for (int32_t i = 0; i < p->count; i += p->period) {
		add(p, p->input1 + i, p->input2, p->output + i, p->period);
	}
	petite_limit_s8_dsp(p->output, p->count, p->activation_min, p->activation_max);
	return PETITE_OK;
}

#endif
