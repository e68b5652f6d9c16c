/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/quantize_f32.h"
#include "../common/requantize.h"
#include "quantize_f32_s16.h"

enum petite_status petite_quantize_f32_s16_scalar(const void *params)
{
	const struct petite_quantize_f32_s16 *p = params;
	const struct petite_float factor = petite_take_apart(&p->inverse_scale);

	for (int32_t i = 0; i < p->count; i++) {
		int32_t rounded = petite_round_product(petite_take_apart(&p->input[i]), factor);

		p->output[i] =
			(int16_t)petite_clamp(p->zero_point + rounded, p->quant_min, p->quant_max);
	}
	return PETITE_OK;
}
