/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "distance_f32.h"

/** Values of norm. */
enum {
	COUNT,
	SUM,
	EUCLIDEAN,
	LARGEST,
	POWER,
};

static float add(const struct petite_distance_f32 *p, float total, float difference)
{
	switch (p->norm) {
	case COUNT:
		return total + (difference != 0.0f ? 1.0f : 0.0f);
	case SUM:
		return total + difference;
	case EUCLIDEAN:
		return total + difference * difference;
	case LARGEST:
		return difference > total ? difference : total;
	default:
		return total + powf(difference, p->exponent);
	}
}

static float distance(const struct petite_distance_f32 *p, const float *left, const float *right)
{
	float total = 0.0f;

	for (int32_t k = 0; k < p->columns; k++) {
		total = add(p, total, fabsf(left[k] - right[k]));
	}
	if (p->norm == EUCLIDEAN) {
		return sqrtf(total);
	}
	if (p->norm == POWER) {
		/* A float32 reciprocal would put the power of a large sum off in several places. */
		return (float)pow((double)total, 1.0 / (double)p->exponent);
	}
	return total;
}

enum petite_status petite_distance_f32_scalar(const void *params)
{
	const struct petite_distance_f32 *p = params;
	const float *left = p->left;
	const float *right = p->right;
	float *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t i = 0; i < p->left_rows; i++) {
			for (int32_t j = p->pairs ? i + 1 : 0; j < p->right_rows; j++) {
				*output++ = distance(p, left, right + j * p->columns);
			}
			left += p->columns;
		}
		right += p->right_rows * p->columns;
	}
	return PETITE_OK;
}
