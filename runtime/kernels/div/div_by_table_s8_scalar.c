/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "div_by_table_s8.h"

/** (n * reciprocal) >> 10, in halves: small cores do not multiply to 64 bits. */
static int32_t scale(int32_t n, int32_t reciprocal)
{
	return n * (reciprocal >> 16) * (1 << 6) + ((n * (reciprocal & 0xFFFF)) >> 10);
}

enum petite_status petite_div_by_table_s8_scalar(const void *params)
{
	const struct petite_div_by_table_s8 *p = params;
	const int32_t *const reciprocals = p->reciprocals;
	const int32_t offset = p->input1_offset;
	const int32_t rounding = p->output_offset * (1 << 12) + (1 << 11);
	const int8_t *input1 = p->input1;
	const int8_t *input2 = p->input2;
	int8_t *output = p->output;

	for (int32_t left = p->count; left > 0; left--) {
		const int32_t scaled = scale(*input1++ + offset, reciprocals[(uint8_t)*input2++]);

		*output++ = (int8_t)petite_clamp((scaled + rounding) >> 12, INT8_MIN, INT8_MAX);
	}
	return PETITE_OK;
}
