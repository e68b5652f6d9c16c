/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "mean_f32.h"

/** Sum over the reduced dimensions, from one element on. */
static float sum_from(const struct petite_mean_f32 *p, const float *input)
{
	const int32_t rows = petite_row_count(p->reduce_dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	float sum = 0.0f;

	for (int32_t row = 0; row < rows; row++) {
		int32_t at = petite_row_offset(index, p->reduce_strides);

		for (int32_t i = 0; i < p->reduce_dims[PETITE_OUTER_RANK]; i++) {
			sum += input[at];
			at += p->reduce_strides[PETITE_OUTER_RANK];
		}
		petite_next_row(index, p->reduce_dims);
	}
	return sum;
}

enum petite_status petite_mean_f32_scalar(const void *params)
{
	const struct petite_mean_f32 *p = params;
	const int32_t rows = petite_row_count(p->dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	float *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		int32_t at = petite_row_offset(index, p->strides);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			*output++ = sum_from(p, p->input + at) / p->divisor;
			at += p->strides[PETITE_OUTER_RANK];
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
