/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/softmax_fixed.h"
#include "softmax_s8.h"

/**
 * exp(value) in Q0.31 for a value <= 0 in Q5.26.
 *
 * With value = -(whole quarters) - rest: a Taylor polynomial around -1/8 gives exp of the fraction
 * of a quarter, and one factor for each set bit of the number of quarters the rest.
 */
static int32_t exponential(int32_t value)
{
	int32_t fraction = (value & (PETITE_QUARTER - 1)) - PETITE_QUARTER;
	uint32_t quarters = (uint32_t)(fraction - value) >> 24;
	int32_t x = fraction * 32 + (1 << 28);
	int32_t x2 = petite_multiply_saturated(x, x);
	int32_t x3 = petite_multiply_saturated(x2, x);
	int32_t x4 = petite_divide_by_power_of_two(petite_multiply_saturated(x2, x2), 2);
	int32_t tail = petite_divide_by_power_of_two(
		petite_multiply_saturated(x4 + x3, PETITE_THIRD) + x2, 1);
	int32_t result = PETITE_EXP_MINUS_EIGHTH +
			 petite_multiply_saturated(PETITE_EXP_MINUS_EIGHTH, x + tail);

	if (value == 0) {
		return INT32_MAX;
	}
	for (uint32_t k = 0; k < PETITE_EXP_FACTORS; k++) {
		if ((quarters >> k) & 1) {
			result = petite_multiply_saturated(result, petite_exp_factors[k]);
		}
	}
	return result;
}

/** exp((value - maximum) * scale) in Q0.31, or 0 where that is too small to count. */
static int32_t term(const struct petite_softmax_s8 *p, int32_t value, int32_t maximum)
{
	int32_t difference = value - maximum;

	if (difference < p->diff_min) {
		return 0;
	}
	return exponential(petite_multiply_saturated(
		(int32_t)((uint32_t)difference << p->input_shift), p->input_multiplier));
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
		sum += (uint32_t)petite_divide_by_power_of_two(term(p, input[c], maximum),
							       PETITE_SUM_BITS);
	}
	scale = petite_reciprocal_of_sum(sum, &exponent);
	for (int32_t c = 0; c < p->columns; c++) {
		int32_t probability = petite_multiply_saturated(scale, term(p, input[c], maximum));

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
