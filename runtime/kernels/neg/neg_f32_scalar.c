/* SPDX-License-Identifier: Apache-2.0 */
#include "neg_f32.h"

enum petite_status petite_neg_f32_scalar(const void *params)
{
	const struct petite_neg_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		float value = p->input[i];

		p->output[i] = -value;
	}
	return PETITE_OK;
}
