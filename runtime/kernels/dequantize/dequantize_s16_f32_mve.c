/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "../common/dequantize_mve.h"
#include "dequantize_s16_f32.h"

enum petite_status petite_dequantize_s16_f32_mve(const void *params)
{
	const struct petite_dequantize_s16_f32 *p = params;
	const int32_t offset = PETITE_BITS_OF_MIDDLE - p->zero_point;
	const int16_t *input = p->input;
	float *output = p->output;
	int32_t left = p->count;

	for (; left >= PETITE_DEQUANTIZE_BLOCK; left -= PETITE_DEQUANTIZE_BLOCK) {
		petite_store_scaled_mve(output, vaddq_n_s32(vldrhq_s32(input), offset), p->scale);
		input += PETITE_DEQUANTIZE_BLOCK;
		output += PETITE_DEQUANTIZE_BLOCK;
	}
	for (; left > 0; left--) {
		*output++ = (float)(*input++ - p->zero_point) * p->scale;
	}
	return PETITE_OK;
}

#endif
