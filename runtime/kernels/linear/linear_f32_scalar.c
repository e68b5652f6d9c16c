/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "linear_f32.h"

/** One element of the product of the matrices. */
static float multiply(const struct petite_linear_f32 *p, const float *input, const float *weights)
{
	float sum = 0.0f;

	for (int32_t k = 0; k < p->inner; k++) {
		sum += input[k] * *weights;
		weights += p->inner_stride;
	}
	return sum;
}

enum petite_status petite_linear_f32_scalar(const void *params)
{
	const struct petite_linear_f32 *p = params;
	const float *input = p->input;
	float *output = p->output;

	for (int32_t r = 0; r < p->rows; r++) {
		for (int32_t c = 0; c < p->columns; c++) {
			float sum = multiply(p, input, p->weights + c * p->column_stride);

			if (p->bias != NULL) {
				sum = sum * p->alpha +
				      p->bias[r * p->bias_row_stride + c * p->bias_column_stride] *
					      p->beta;
			}
			*output++ = sum;
		}
		input += p->inner;
	}
	return PETITE_OK;
}
