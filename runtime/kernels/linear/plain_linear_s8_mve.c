/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include "../common/plain_pixels_s8_mve.h"
#include "plain_linear_s8_mve.h"

/** The sums' starts, from output `first` on. */
static void set_biases(struct petite_plain_pixels *pixels, const int32_t *bias)
{
	const int32_t last = pixels->channels - 1;

	if (bias != NULL) {
		pixels->sum0 = (uint32_t)bias[0];
		pixels->sum1 = (uint32_t)bias[last < 1 ? last : 1];
		pixels->sum2 = (uint32_t)bias[last < 2 ? last : 2];
		pixels->sum3 = (uint32_t)bias[last];
	}
}

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
		pixels.multiplier[i] = p->multiplier;
		pixels.left[i] = p->shift > 0 ? p->shift : 0;
		pixels.right[i] = p->shift < 0 ? p->shift : 0;
	}
	for (int32_t first = 0; first < p->out_features; first += PETITE_BLOCK) {
		petite_plain_weights_s8_mve(&pixels, p->out_features - first,
					    p->weights + first * p->in_features, p->in_features);
		set_biases(&pixels, p->bias == NULL ? NULL : p->bias + first);
		pixels.input = p->input;
		pixels.output = p->output + first;
		pixels.pixels = p->rows;
		petite_plain_pixels_s8_mve(&pixels);
	}
	return PETITE_OK;
}

#endif
