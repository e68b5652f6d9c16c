/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <string.h>

#include <arm_mve.h>

#include "dequantize_s8_f32.h"

/** Elements that are computed at once. */
#define BLOCK 4

/** No intrinsics: where Helium has no floats, compilers compute one after the other. */
typedef float floats __attribute__((vector_size(16)));

/** A float to whose bits integers below 2^22 in size can be added as if to the float. */
#define MIDDLE 12582912.0f
#define BITS_OF_MIDDLE 0x4B400000

enum petite_status petite_dequantize_s8_f32_mve(const void *params)
{
	const struct petite_dequantize_s8_f32 *p = params;
	const int32_t offset = BITS_OF_MIDDLE - p->zero_point;
	const int8_t *input = p->input;
	float *output = p->output;
	int32_t left = p->count;

	for (; left >= BLOCK; left -= BLOCK) {
		const int32x4_t bits = vaddq_n_s32(vldrbq_s32(input), offset);
		const floats values = ((floats)bits - MIDDLE) * p->scale;

		memcpy(output, &values, sizeof(values));
		input += BLOCK;
		output += BLOCK;
	}
	for (; left > 0; left--) {
		*output++ = (float)(*input++ - p->zero_point) * p->scale;
	}
	return PETITE_OK;
}

#endif
