/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/extreme_s8_dsp.h"
#include "../common/softmax_fixed.h"
#include "softmax_s8_dsp.h"

/** Bytes that are compared at once. */
#define BLOCK 4
/** Differences between two int8 numbers. */
#define TERMS 256

/** What differs from row to row. */
struct row {
	/** Address of the exponential of 0, where the row's maximum is 0. */
	uint32_t terms;
	/** Twice the reciprocal of the sum of exponentials, in Q0.31. */
	uint32_t scale;
	int32_t exponent;
};

/** The exponential of the next element. */
#define TERM                                                                                       \
	"	ldrsb %[x], [%[input]], #1\n"                                                            \
	"	ldr %[x], [%[terms], %[x], lsl #2]\n"

#define ADD TERM "	add %[x], #2048\n	add %[sum], %[sum], %[x], lsr #12\n"

/* The upper word, rounded, is the product in Q0.31; then it is rounded to a probability. */
#define WRITE                                                                                      \
	TERM "	umull %[low], %[x], %[x], %[scale]\n"                                               \
	     "	add %[low], %[half], %[low], lsr #31\n"                                             \
	     "	add %[x], %[low]\n"                                                                 \
	     "	lsr %[x], %[exponent]\n"                                                            \
	     "	sub %[x], #128\n"                                                                   \
	     "	ssat %[x], #8, %[x]\n"                                                              \
	     "	strb %[x], [%[output]], #1\n"

/* Four at a turn; before the first turn, what a division by four leaves. */
#define REPEAT(element)                                                                            \
	"	ands %[x], %[count], #3\n"                                                               \
	"	beq 2f\n"                                                                                \
	"1:	sub %[count], %[count], #1\n" element "	tst %[count], #3\n"                        \
	"	bne 1b\n"                                                                                \
	"2:	cmp %[count], #0\n"                                                                    \
	"	beq 4f\n"                                                                                \
	"3:\n" element element element element "	subs %[count], %[count], #4\n"                    \
	"	bne 3b\n"                                                                                \
	"4:"

static int32_t maximum_of(const int8_t *input, int32_t count)
{
	uint32_t maxima = 0x80808080;
	int32_t maximum = INT8_MIN;

	for (; count >= BLOCK; count -= BLOCK) {
		uint32_t word;

		memcpy(&word, input, BLOCK);
		maxima = petite_larger_s8_dsp(word, maxima);
		input += BLOCK;
	}
	for (int32_t k = 0; k < BLOCK; k++) {
		const int32_t value = (int8_t)(maxima >> (8 * k));

		maximum = value > maximum ? value : maximum;
	}
	for (; count > 0; count--, input++) {
		maximum = *input > maximum ? *input : maximum;
	}
	return maximum;
}

static uint32_t sum_of(const struct row *row, const int8_t *input, int32_t count)
{
	uint32_t sum = 0;
	int32_t x;

	__asm__ volatile(
		REPEAT(ADD)
		: [input] "+&r"(input), [count] "+&l"(count), [sum] "+&r"(sum), [x] "=&r"(x)
		: [terms] "r"(row->terms)
		: "cc", "memory");
	return sum;
}

static void write_row(const struct row *row, const int8_t *input, int8_t *output, int32_t count)
{
	int32_t x;
	int32_t low;

	__asm__ volatile(
		REPEAT(WRITE)
		: [input] "+&r"(input), [output] "+&r"(output), [count] "+&l"(count), [x] "=&r"(x),
		  [low] "=&r"(low)
		: [terms] "r"(row->terms), [scale] "r"(row->scale), [exponent] "r"(row->exponent),
		  [half] "r"(UINT32_C(1) << (row->exponent - 1))
		: "cc", "memory");
}

static void softmax_row(const int32_t *terms, const int8_t *input, int8_t *output, int32_t columns)
{
	const int32_t maximum = maximum_of(input, columns);
	struct row row = {
		.terms = (uint32_t)(uintptr_t)terms + 4U * (uint32_t)(TERMS - 1 - maximum),
	};

	row.scale = 2U *
		    (uint32_t)petite_reciprocal_of_sum(sum_of(&row, input, columns), &row.exponent);
	/* Then every probability is less than half a step. */
	if (row.exponent > 31) {
		row.scale = 0;
		row.exponent = 31;
	}
	write_row(&row, input, output, columns);
}

enum petite_status petite_softmax_s8_dsp(const void *params)
{
	const struct petite_softmax_s8_dsp *p = params;
	int32_t *const terms = (int32_t *)(void *)p->scratch;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t k = 0; k < TERMS; k++) {
		terms[k] = petite_softmax_term(k - (TERMS - 1), p->input_multiplier, p->input_shift,
					       p->diff_min);
	}
	for (int32_t r = 0; r < p->rows; r++) {
		softmax_row(terms, input, output, p->columns);
		input += p->columns;
		output += p->columns;
	}
	return PETITE_OK;
}

#endif
