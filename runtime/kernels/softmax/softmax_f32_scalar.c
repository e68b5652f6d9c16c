/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/exp.h"
#include "softmax_f32.h"

static float largest(const float *row, int32_t columns)
{
	float result = row[0];

	for (int32_t c = 1; c < columns; c++) {
		if (row[c] > result) {
			result = row[c];
		}
	}
	return result;
}

enum petite_status petite_softmax_f32_scalar(const void *params)
{
	const struct petite_softmax_f32 *p = params;

	for (int32_t r = 0; r < p->rows; r++) {
		const float *input = p->input + r * p->columns;
		float *output = p->output + r * p->columns;
		float maximum = largest(input, p->columns);
		float sum = 0.0f;

		for (int32_t c = 0; c < p->columns; c++) {
			output[c] = (float)petite_exp((double)(input[c] - maximum));
			sum += output[c];
		}
		for (int32_t c = 0; c < p->columns; c++) {
			output[c] /= sum;
		}
	}
	return PETITE_OK;
}
