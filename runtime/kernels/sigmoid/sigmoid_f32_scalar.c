/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/exp.h"
#include "sigmoid_f32.h"

enum petite_status petite_sigmoid_f32_scalar(const void *params)
{
	const struct petite_sigmoid_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		p->output[i] = (float)(1.0 / (1.0 + petite_exp(-(double)p->input[i])));
	}
	return PETITE_OK;
}
