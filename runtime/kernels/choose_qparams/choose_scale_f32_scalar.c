/* SPDX-License-Identifier: Apache-2.0 */
#include "find_range.h"

enum petite_status petite_choose_scale_f32_scalar(const void *params)
{
	const struct petite_choose_qparams *p = params;
	const float *row = p->input;
	float *output = p->output;

	for (int32_t r = 0; r < p->rows; r++) {
		struct petite_range range;
		enum petite_status status =
			petite_find_range(row, p->columns, p->quant_max - p->quant_min, &range);

		if (status != PETITE_OK) {
			return status;
		}
		output[r] = (float)range.scale;
		row += p->columns;
	}
	return PETITE_OK;
}
