/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../common/strided.h"
#include "masked_scatter.h"

enum petite_status petite_masked_scatter_scalar(const void *params)
{
	const struct petite_masked_scatter *p = params;
	const int32_t rows = petite_row_count(p->dims);
	const int32_t step = p->strides[PETITE_OUTER_RANK];
	const int32_t mask_step = p->mask_strides[PETITE_OUTER_RANK];
	const size_t size = (size_t)p->element_size;
	int32_t index[PETITE_OUTER_RANK] = {0};
	const uint8_t *source = p->source;
	int32_t left = p->source_count;
	uint8_t *output = p->output;

	for (int32_t row = 0; row < rows; row++) {
		const int32_t first = petite_row_offset(index, p->strides);
		const uint8_t *input = (const uint8_t *)p->input + first * p->element_size;
		const uint8_t *mask =
			(const uint8_t *)p->mask + petite_row_offset(index, p->mask_strides);

		for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {
			if (mask[i * mask_step] == 0) {
				memcpy(output, input + i * step * p->element_size, size);
			} else if (left > 0) {
				memcpy(output, source, size);
				source += size;
				left--;
			} else {
				return PETITE_ERR_DATA;
			}
			output += size;
		}
		petite_next_row(index, p->dims);
	}
	return PETITE_OK;
}
