/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/softmax_fixed.h"
#include "softmax_s8.h"

/** exp(difference * scale) in Q0.31, or 0 where that is too small to count. */
static int32_t term(const struct petite_softmax_s8 *p, int32_t difference)
{
	return petite_softmax_term(difference, p->input_multiplier, p->input_shift, p->diff_min);
}

static void softmax_row(const struct petite_softmax_s8 *p, const int8_t *input, int8_t *output)
{
	int32_t maximum = input[0];
	int32_t exponent;
	int32_t scale;
	uint32_t sum = 0;

	for (int32_t c = 1; c < p->columns; c++) {
		maximum = input[c] > maximum ? input[c] : maximum;
	}
	for (int32_t c = 0; c < p->columns; c++) {
		sum += (uint32_t)petite_divide_by_power_of_two(term(p, input[c] - maximum),
							       PETITE_SUM_BITS);
	}
	scale = petite_reciprocal_of_sum(sum, &exponent);
	for (int32_t c = 0; c < p->columns; c++) {
		int32_t probability = petite_multiply_saturated(scale, term(p, input[c] - maximum));

		/* With exponents above 31 every probability is less than half a step. */
		probability =
			exponent > 31 ? 0 : petite_divide_by_power_of_two(probability, exponent);
		output[c] = (int8_t)petite_clamp(probability + INT8_MIN, INT8_MIN, INT8_MAX);
	}
}

enum petite_status petite_softmax_s8_scalar(const void *params)
{
	const struct petite_softmax_s8 *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t r = 0; r < p->rows; r++) {
		softmax_row(p, input, output);
		input += p->columns;
		output += p->columns;
	}
	return PETITE_OK;
}
