/* SPDX-License-Identifier: Apache-2.0 */
#include "abs_f32.h"

enum petite_status petite_abs_f32_scalar(const void *params)
{
	const struct petite_abs_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		float value = p->input[i];

		p->output[i] = value < 0.0f ? -value : value;
	}
	return PETITE_OK;
}
