/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "mul_s8.h"

enum petite_status petite_mul_s8_scalar(const void *params)
{
	const struct petite_mul_s8 *p = params;

	for (int32_t i = 0, j = 0; i < p->count; i++, j++) {
		uint32_t product;

		if (j == p->period) {
			j = 0;
		}
		product = ((uint32_t)p->input1[i] + (uint32_t)p->input1_offset) *
			  ((uint32_t)p->input2[j] + (uint32_t)p->input2_offset);
		p->output[i] =
			petite_requantize_s8(product, p->multiplier, p->shift, p->output_offset,
					     p->activation_min, p->activation_max);
	}
	return PETITE_OK;
}
