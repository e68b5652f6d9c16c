/* SPDX-License-Identifier: Apache-2.0 */
#include "lut_s8_f32.h"

enum petite_status petite_lut_s8_f32_scalar(const void *params)
{
	const struct petite_lut_s8_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		p->output[i] = p->table[p->input[i] + 128];
	}
	return PETITE_OK;
}
