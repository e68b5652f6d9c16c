/* SPDX-License-Identifier: Apache-2.0 */
#include "dequantize_s16_f32.h"

enum petite_status petite_dequantize_s16_f32_scalar(const void *params)
{
	const struct petite_dequantize_s16_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		p->output[i] = (float)(p->input[i] - p->zero_point) * p->scale;
	}
	return PETITE_OK;
}
