/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "../common/exp.h"
#include "../common/largest.h"
#include "log_softmax_f32.h"

enum petite_status petite_log_softmax_f32_scalar(const void *params)
{
	const struct petite_log_softmax_f32 *p = params;

	for (int32_t r = 0; r < p->rows; r++) {
		const float *input = p->input + r * p->columns;
		float *output = p->output + r * p->columns;
		float maximum = petite_largest(input, p->columns);
		float sum = 0.0f;

		for (int32_t c = 0; c < p->columns; c++) {
			sum += (float)petite_exp((double)(input[c] - maximum));
		}
		sum = logf(sum);
		for (int32_t c = 0; c < p->columns; c++) {
			output[c] = input[c] - maximum - sum;
		}
	}
	return PETITE_OK;
}
