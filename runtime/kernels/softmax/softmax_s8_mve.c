/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "../common/softmax_fixed.h"
#include "softmax_s8.h"

/** Elements that are computed at once. */
#define BLOCK 4

/** What differs from row to row. */
struct row {
	int32_t maximum;
	/** Of the sum of exponentials. */
	int32_t reciprocal;
	int32_t exponent;
};

/** value / 2^exponent, ties away from zero. */
#define DIVIDE(value, exponent) vrshrq_n_s32(vaddq_s32(value, vshrq_n_s32(value, 31)), exponent)

/** exp(value) in Q0.31 for values <= 0 in Q5.26, as softmax_s8_scalar.c has it. */
static int32x4_t exponential(int32x4_t value)
{
	const int32x4_t fraction =
		vsubq_n_s32(vandq_s32(value, vdupq_n_s32(PETITE_QUARTER - 1)), PETITE_QUARTER);
	const int32x4_t quarters = vshrq_n_s32(vsubq_s32(fraction, value), 24);
	const int32x4_t x = vaddq_n_s32(vshlq_n_s32(fraction, 5), 1 << 28);
	const int32x4_t x2 = vqrdmulhq_s32(x, x);
	const int32x4_t x3 = vqrdmulhq_s32(x2, x);
	const int32x4_t square = vqrdmulhq_s32(x2, x2);
	const int32x4_t x4 = DIVIDE(square, 2);
	const int32x4_t sum = vaddq_s32(vqrdmulhq_n_s32(vaddq_s32(x4, x3), PETITE_THIRD), x2);
	const int32x4_t tail = DIVIDE(sum, 1);
	int32x4_t result = vaddq_n_s32(vqrdmulhq_n_s32(vaddq_s32(x, tail), PETITE_EXP_MINUS_EIGHTH),
				       PETITE_EXP_MINUS_EIGHTH);
	int32x4_t is_negative;

	for (int32_t k = 0; k < PETITE_EXP_FACTORS; k++) {
		const int32x4_t product = vqrdmulhq_n_s32(result, petite_exp_factors[k]);
		/* All ones where the bit is set. */
		const int32x4_t mask = vshrq_n_s32(vshlq_r_s32(quarters, 31 - k), 31);

		result = vaddq_s32(result, vandq_s32(vsubq_s32(product, result), mask));
	}
	/* exp(0) saturates. */
	is_negative = vshrq_n_s32(value, 31);
	return vorrq_s32(vandq_s32(result, is_negative),
			 vbicq_s32(vdupq_n_s32(INT32_MAX), is_negative));
}

/** exp((value - maximum) * scale) in Q0.31 of the next elements. */
static int32x4_t terms(const struct petite_softmax_s8 *p, const int8_t *input,
		       const struct row *row, mve_pred16_t lanes)
{
	const int32x4_t difference = vsubq_n_s32(vldrbq_z_s32(input, lanes), row->maximum);
	const int32x4_t shifted = vshlq_r_s32(difference, p->input_shift);
	const int32x4_t exp = exponential(vqrdmulhq_n_s32(shifted, p->input_multiplier));

	return vpselq_s32(exp, vdupq_n_s32(0), vcmpgeq_n_s32(difference, p->diff_min));
}

static int32_t maximum_of(const int8_t *input, int32_t count)
{
	int8_t maximum = INT8_MIN;

	for (int32_t left = count; left > 0; left -= 16) {
		const mve_pred16_t lanes = vctp8q((uint32_t)left);

		maximum = vmaxvq_p_s8(maximum, vldrbq_z_s8(input, lanes), lanes);
		input += 16;
	}
	return maximum;
}

static uint32_t sum_of(const struct petite_softmax_s8 *p, const int8_t *input,
		       const struct row *row)
{
	uint32_t sum = 0;

	for (int32_t left = p->columns; left > 0; left -= BLOCK) {
		const mve_pred16_t lanes = vctp32q((uint32_t)left);
		const int32x4_t term = vrshrq_n_s32(terms(p, input, row, lanes), PETITE_SUM_BITS);

		sum = vaddvaq_p_u32(sum, vreinterpretq_u32_s32(term), lanes);
		input += BLOCK;
	}
	return sum;
}

static void softmax_row(const struct petite_softmax_s8 *p, const int8_t *input, int8_t *output)
{
	struct row row = {.maximum = maximum_of(input, p->columns)};

	row.reciprocal = petite_reciprocal_of_sum(sum_of(p, input, &row), &row.exponent);
	for (int32_t left = p->columns; left > 0; left -= BLOCK) {
		const mve_pred16_t lanes = vctp32q((uint32_t)left);
		int32x4_t values = vqrdmulhq_n_s32(terms(p, input, &row, lanes), row.reciprocal);

		/* None is below zero, nor rounds to a step with an exponent above 31. */
		values = vrshlq_n_s32(values, -row.exponent);
		values = vaddq_n_s32(values, INT8_MIN);
		vstrbq_p_s32(output, vminq_s32(values, vdupq_n_s32(INT8_MAX)), lanes);
		input += BLOCK;
		output += BLOCK;
	}
}

enum petite_status petite_softmax_s8_mve(const void *params)
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

#endif
