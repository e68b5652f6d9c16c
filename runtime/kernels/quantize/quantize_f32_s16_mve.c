/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "../common/quantize_f32_mve.h"
#include "quantize_f32_s16.h"

/** Elements that are computed at once. */
#define BLOCK 4

enum petite_status petite_quantize_f32_s16_mve(const void *params)
{
	const struct petite_quantize_f32_s16 *p = params;
	const struct petite_factor factor = petite_factor_of(&p->inverse_scale);
	const int32x4_t low = vdupq_n_s32(p->quant_min);
	const int32x4_t high = vdupq_n_s32(p->quant_max);
	/* As bytes, floats may be read. */
	const uint8_t *input = (const void *)p->input;
	int16_t *output = p->output;

	for (int32_t left = p->count; left > 0; left -= BLOCK) {
		const mve_pred16_t lanes = vctp32q((uint32_t)left);
		const uint32x4_t bits = vreinterpretq_u32_u8(vldrbq_z_u8(input, lanes));
		int32x4_t values = petite_round_products_mve(bits, factor);

		values = vaddq_n_s32(values, p->zero_point);
		vstrhq_p_s32(output, vminq_s32(vmaxq_s32(values, low), high), lanes);
		input += BLOCK * sizeof(float);
		output += BLOCK;
	}
	return PETITE_OK;
}

#endif
