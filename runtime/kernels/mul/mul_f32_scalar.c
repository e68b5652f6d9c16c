/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "mul_f32.h"

enum petite_status petite_mul_f32_scalar(const void *params)
{
	const struct petite_mul_f32 *p = params;
	const int32_t rows = petite_row_count(p->dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	float *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		const float *input1 = p->input1 + petite_row_offset(index, p->stride1);
		const float *input2 = p->input2 + petite_row_offset(index, p->stride2);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			float a = input1[i * p->stride1[PETITE_OUTER_RANK]];
			float b = input2[i * p->stride2[PETITE_OUTER_RANK]];

			*output++ = a * b;
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
