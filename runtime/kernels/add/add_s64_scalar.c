/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "add_s64.h"

enum petite_status petite_add_s64_scalar(const void *params)
{
	const struct petite_add_s64 *p = params;
	const int32_t rows = petite_row_count(p->dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	int64_t *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		const int64_t *input1 = p->input1 + petite_row_offset(index, p->stride1);
		const int64_t *input2 = p->input2 + petite_row_offset(index, p->stride2);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			uint64_t a = (uint64_t)input1[i * p->stride1[PETITE_OUTER_RANK]];
			uint64_t b = (uint64_t)input2[i * p->stride2[PETITE_OUTER_RANK]];

			*output++ = (int64_t)(a + (uint64_t)p->alpha * b);
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
