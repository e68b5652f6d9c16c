/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "softmax_s8.h"

/** Integer bits of the sum of exponentials. */
#define SUM_BITS 12

/** a * b in Q0.31, rounded; saturates -1 * -1. */
static int32_t multiply(int32_t a, int32_t b)
{
	return a == INT32_MIN && b == INT32_MIN ? INT32_MAX : petite_multiply_q31(a, b);
}

/** value * 2^exponent, saturated. */
static int32_t shift_left(int32_t value, int32_t exponent)
{
	int32_t limit = INT32_MAX >> exponent;

	if (value > limit) {
		return INT32_MAX;
	}
	return value < -limit ? INT32_MIN : value * (1 << exponent);
}

/**
 * exp(value) in Q0.31 for a value <= 0 in Q5.26.
 *
 * With value = -(whole quarters) - rest: a Taylor polynomial around -1/8 gives exp of the fraction
 * of a quarter, and one factor for each set bit of the number of quarters the rest.
 */
static int32_t exponential(int32_t value)
{
	/** exp(-2^k) in Q0.31 for k = -2 .. 4. */
	static const int32_t factors[] = {
		1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242,
	};
	const int32_t quarter = 1 << 24;
	const int32_t exp_minus_eighth = 1895147668;
	const int32_t third = 715827883;
	int32_t fraction = (value & (quarter - 1)) - quarter;
	uint32_t quarters = (uint32_t)(fraction - value) >> 24;
	int32_t x = fraction * 32 + (1 << 28);
	int32_t x2 = multiply(x, x);
	int32_t x3 = multiply(x2, x);
	int32_t x4 = petite_divide_by_power_of_two(multiply(x2, x2), 2);
	int32_t tail = petite_divide_by_power_of_two(multiply(x4 + x3, third) + x2, 1);
	int32_t result = exp_minus_eighth + multiply(exp_minus_eighth, x + tail);

	if (value == 0) {
		return INT32_MAX;
	}
	for (uint32_t k = 0; k < sizeof(factors) / sizeof(factors[0]); k++) {
		if ((quarters >> k) & 1) {
			result = multiply(result, factors[k]);
		}
	}
	return result;
}

/** 1 / (1 + value) in Q0.31, for a value in [0, 1) in Q0.31: three Newton-Raphson steps. */
static int32_t reciprocal_of_one_plus(int32_t value)
{
	const int32_t half_denominator = (int32_t)(((int64_t)value + INT32_MAX + 1) / 2);
	const int32_t one_q2 = 1 << 29;
	/** 48/17 and -32/17 in Q2.29: the straight line that starts the iteration. */
	int32_t x = 1515870810 + multiply(half_denominator, -1010580540);

	for (int32_t step = 0; step < 3; step++) {
		int32_t error = one_q2 - multiply(half_denominator, x);

		x += shift_left(multiply(x, error), 2);
	}
	return shift_left(x, 1);
}

/** exp((value - maximum) * scale) in Q0.31, or 0 where that is too small to count. */
static int32_t term(const struct petite_softmax_s8 *p, int32_t value, int32_t maximum)
{
	int32_t difference = value - maximum;

	if (difference < p->diff_min) {
		return 0;
	}
	return exponential(
		multiply((int32_t)((uint32_t)difference << p->input_shift), p->input_multiplier));
}

static void softmax_row(const struct petite_softmax_s8 *p, const int8_t *input, int8_t *output)
{
	int32_t maximum = input[0];
	int32_t headroom = 0;
	int32_t exponent;
	int32_t scale;
	uint32_t sum = 0;

	for (int32_t c = 1; c < p->columns; c++) {
		maximum = input[c] > maximum ? input[c] : maximum;
	}
	for (int32_t c = 0; c < p->columns; c++) {
		sum += (uint32_t)petite_divide_by_power_of_two(term(p, input[c], maximum),
							       SUM_BITS);
	}
	while (headroom < 31 && (sum >> 31) == 0) {
		sum <<= 1;
		headroom++;
	}
	scale = reciprocal_of_one_plus((int32_t)(sum - (UINT32_C(1) << 31)));
	exponent = SUM_BITS + 23 - headroom;
	for (int32_t c = 0; c < p->columns; c++) {
		int32_t probability = multiply(scale, term(p, input[c], maximum));

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
