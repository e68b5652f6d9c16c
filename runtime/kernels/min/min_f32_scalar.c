/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "min_f32.h"

/** A NaN wins over any number, the first one over the second. */
static float smaller(float a, float b)
{
	if (a != a) {
		return a;
	}
	return b != b || b < a ? b : a;
}

enum petite_status petite_min_f32_scalar(const void *params)
{
	const struct petite_min_f32 *p = params;
	const int32_t rows = petite_row_count(p->dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	float *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		const float *input1 = p->input1 + petite_row_offset(index, p->stride1);
		const float *input2 = p->input2 + petite_row_offset(index, p->stride2);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			float a = input1[i * p->stride1[PETITE_OUTER_RANK]];
			float b = input2[i * p->stride2[PETITE_OUTER_RANK]];

			*output++ = smaller(a, b);
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
