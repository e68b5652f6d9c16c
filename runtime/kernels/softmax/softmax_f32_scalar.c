/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/exp.h"
#include "../common/largest.h"
#include "softmax_f32.h"

enum petite_status petite_softmax_f32_scalar(const void *params)
{
	const struct petite_softmax_f32 *p = params;

	for (int32_t r = 0; r < p->rows; r++) {
		const float *input = p->input + r * p->columns;
		float *output = p->output + r * p->columns;
		float maximum = petite_largest(input, p->columns);
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
