/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../common/strided.h"
#include "pad.h"

/** Write elements of the fill value; returns where they end. */
static uint8_t *fill(const struct petite_pad *p, uint8_t *output, int32_t elements)
{
	int32_t bytes = elements * p->element_size;

	for (int32_t i = 0; i < bytes; i++) {
		*output++ = p->fill[i & (p->element_size - 1)];
	}
	return output;
}

/** Whether an output row takes its middle from the input. */
static int is_inside(const struct petite_pad *p, const int32_t *index)
{
	for (int32_t k = 0; k < PETITE_OUTER_RANK; k++) {
		if (index[k] < p->before[k] || index[k] >= p->before[k] + p->input_dims[k]) {
			return 0;
		}
	}
	return 1;
}

enum petite_status petite_pad_scalar(const void *params)
{
	const struct petite_pad *p = params;
	const int32_t last = PETITE_OUTER_RANK;
	const int32_t row_bytes = p->input_dims[last] * p->element_size;
	const uint8_t *input = p->input;
	uint8_t *output = p->output;
	int32_t dims[PETITE_MAX_RANK];
	int32_t index[PETITE_OUTER_RANK] = {0};
	int32_t rows;

	for (int32_t k = 0; k < PETITE_MAX_RANK; k++) {
		dims[k] = p->before[k] + p->input_dims[k] + p->after[k];
	}
	rows = petite_row_count(dims);
	for (int32_t row = 0; row < rows; row++) {
		if (is_inside(p, index)) {
			output = fill(p, output, p->before[last]);
			memcpy(output, input, (size_t)row_bytes);
			input += row_bytes;
			output = fill(p, output + row_bytes, p->after[last]);
		} else {
			output = fill(p, output, dims[last]);
		}
		petite_next_row(index, dims);
	}
	return PETITE_OK;
}
