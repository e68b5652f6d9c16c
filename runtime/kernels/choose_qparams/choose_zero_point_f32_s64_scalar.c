/* SPDX-License-Identifier: Apache-2.0 */
#include "find_range.h"

static double size_of(double x)
{
	return x < 0.0 ? -x : x;
}

/** To the nearest integer, ties to even; of numbers that int32 holds. */
static int32_t nearest(float x)
{
	const int32_t whole = (int32_t)x;
	const float rest = x - (float)whole;
	const int32_t odd = whole % 2;

	if (rest > 0.5f || (rest == 0.5f && odd != 0)) {
		return whole + 1;
	}
	if (rest < -0.5f || (rest == -0.5f && odd != 0)) {
		return whole - 1;
	}
	return whole;
}

static int32_t zero_point(const struct petite_range *range, int32_t lowest, int32_t highest)
{
	const double below = (double)range->low / range->scale;
	const double above = (double)range->high / range->scale;
	const int from_low = size_of(lowest) - size_of(below) < size_of(highest) - size_of(above);
	const double exact = from_low ? lowest - below : highest - above;

	if (exact < lowest) {
		return lowest;
	}
	if (exact > highest) {
		return highest;
	}
	/* float32 may round beyond int32, but not beyond the limits where these are float32. */
	return (float)exact >= 2147483648.0f ? highest : nearest((float)exact);
}

enum petite_status petite_choose_zero_point_f32_s64_scalar(const void *params)
{
	const struct petite_choose_qparams *p = params;
	const float *row = p->input;
	int64_t *output = p->output;

	for (int32_t r = 0; r < p->rows; r++) {
		struct petite_range range;
		enum petite_status status =
			petite_find_range(row, p->columns, p->quant_max - p->quant_min, &range);

		if (status != PETITE_OK) {
			return status;
		}
		output[r] = zero_point(&range, p->quant_min, p->quant_max);
		row += p->columns;
	}
	return PETITE_OK;
}
