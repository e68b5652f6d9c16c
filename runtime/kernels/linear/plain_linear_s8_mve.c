/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "../common/plain_pixels_s8_mve.h"
#include "plain_linear_s8_mve.h"

enum petite_status petite_plain_linear_s8_mve(const void *params)
{
	const struct petite_linear_s8 *p = params;
	struct petite_plain_pixels pixels = {
		.length = p->in_features,
		.rows = 1,
		.input_step = p->in_features,
		.output_step = p->out_features,
		.output_offset = p->output_offset,
		.activation_min = p->activation_min,
		.activation_max = p->activation_max,
	};

	for (int32_t i = 0; i < PETITE_BLOCK; i++) {
		petite_plain_scale_s8_mve(&pixels, i, p->multiplier, p->shift);
	}
	for (int32_t first = 0; first < p->out_features; first += PETITE_BLOCK) {
		struct petite_plain_block block;

		petite_plain_begin_s8_mve(&block, p->out_features - first,
					  p->weights + first * p->in_features, p->in_features,
					  p->bias == NULL ? NULL : p->bias + first);
		petite_plain_take_s8_mve(&pixels, &block, block.bias, 0);
		pixels.input = p->input;
		pixels.output = p->output + first;
		pixels.pixels = p->rows;
		petite_plain_pixels_s8_mve(&pixels);
	}
	return PETITE_OK;
}

#endif
