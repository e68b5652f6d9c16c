/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "add_s8.h"

/** Headroom that keeps the inputs' fractions through the first scaling. */
#define LEFT_SHIFT 20

static uint32_t scale(int8_t value, int32_t offset, int32_t multiplier, int32_t shift)
{
	uint32_t centred = (uint32_t)value + (uint32_t)offset;

	return (uint32_t)petite_requantize((int32_t)(centred << LEFT_SHIFT), multiplier, shift);
}

enum petite_status petite_add_s8_scalar(const void *params)
{
	const struct petite_add_s8 *p = params;

	for (int32_t i = 0, j = 0; i < p->count; i++, j++) {
		uint32_t sum;

		if (j == p->period) {
			j = 0;
		}
		sum = scale(p->input1[i], p->input1_offset, p->input1_multiplier, p->input1_shift) +
		      scale(p->input2[j], p->input2_offset, p->input2_multiplier, p->input2_shift);
		p->output[i] = petite_requantize_s8(sum, p->multiplier, p->shift, p->output_offset,
						    p->activation_min, p->activation_max);
	}
	return PETITE_OK;
}
