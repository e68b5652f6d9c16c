/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/divide.h"
#include "../common/requantize.h"
#include "div_s16.h"

enum petite_status petite_div_s16_scalar(const void *params)
{
	const struct petite_div_s16 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		int32_t quotient = petite_divide(p->input1[i] + p->input1_offset,
						 p->input2[i] + p->input2_offset, p->scale);

		p->output[i] = (int16_t)petite_clamp(quotient + p->output_offset, p->activation_min,
						     p->activation_max);
	}
	return PETITE_OK;
}
