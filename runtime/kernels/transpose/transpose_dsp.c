/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "define_copy_planes.h"

/** Bytes of a turn. */
#define BLOCK 4

static void copy_line(const struct line *line)
{
	const int32_t from_stride = line->from_stride;
	const int32_t to_stride = line->to_stride;
	const uint8_t *from = line->from;
	uint8_t *to = line->to;
	int32_t left = line->count;

	for (; left >= BLOCK; left -= BLOCK) {
		const uint8_t first = from[0];
		const uint8_t second = from[from_stride];
		const uint8_t third = from[2 * from_stride];
		const uint8_t fourth = from[3 * from_stride];

		to[0] = first;
		to[to_stride] = second;
		to[2 * to_stride] = third;
		to[3 * to_stride] = fourth;
		from += BLOCK * from_stride;
		to += BLOCK * to_stride;
	}
	for (; left > 0; left--) {
		*to = *from;
		from += from_stride;
		to += to_stride;
	}
}

enum petite_status petite_transpose_dsp(const void *params)
{
	copy_planes(params);
	return PETITE_OK;
}

#endif
