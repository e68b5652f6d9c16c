/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "transpose.h"

enum petite_status petite_transpose_scalar(const void *params)
{
	const struct petite_transpose *p = params;
	const int32_t rows = petite_row_count(p->dims);
	int32_t index[PETITE_OUTER_RANK] = {0};
	uint8_t *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		int32_t at = petite_row_offset(index, p->strides);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			const uint8_t *element = (const uint8_t *)p->input + at * p->element_size;

			for (int32_t n = 0; n < p->element_size; n++) {
				*output++ = element[n];
			}
			at += p->strides[PETITE_OUTER_RANK];
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
