/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "lut_s8.h"

/** Elements of a turn. */
#define BLOCK 4

enum petite_status petite_lut_s8_dsp(const void *params)
{
	const struct petite_lut_s8 *p = params;
	const int8_t *const middle = p->table + 128;
	const int8_t *input = p->input;
	int8_t *output = p->output;
	int32_t left = p->count;

	for (; left >= BLOCK; left -= BLOCK) {
		output[0] = middle[input[0]];
		output[1] = middle[input[1]];
		output[2] = middle[input[2]];
		output[3] = middle[input[3]];
		input += BLOCK;
		output += BLOCK;
	}
	for (; left > 0; left--) {
		*output++ = middle[*input++];
	}
	return PETITE_OK;
}

#endif
