/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/quantize_f32_dsp.h"
#include "../common/requantize.h"
#include "quantize_f32_s16.h"

enum petite_status petite_quantize_f32_s16_dsp(const void *params)
{
	const struct petite_quantize_f32_s16 *p = params;
	const struct petite_factor factor = petite_factor_of(&p->inverse_scale);
	const int32_t zero_point = p->zero_point;
	const int32_t low = p->quant_min;
	const int32_t high = p->quant_max;
	const float *input = p->input;
	int16_t *output = p->output;

	for (int32_t left = p->count; left > 0; left--) {
		uint32_t bits;
		int32_t rounded;

		memcpy(&bits, input++, sizeof(bits));
		rounded = petite_round_product_dsp(bits, factor);
		*output++ = (int16_t)petite_clamp(zero_point + rounded, low, high);
	}
	return PETITE_OK;
}

#endif
