/* SPDX-License-Identifier: Apache-2.0 */
#include "clamp_f32.h"

enum petite_status petite_clamp_f32_scalar(const void *params)
{
	const struct petite_clamp_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		float value = p->input[i];

		/* Comparisons with a NaN are false: it passes. */
		if (value < p->low) {
			value = p->low;
		}
		p->output[i] = value > p->high ? p->high : value;
	}
	return PETITE_OK;
}
