/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../common/dot_s8.h"
#include "../common/requantize.h"
#include "linear_s8.h"

enum petite_status petite_linear_s8_scalar(const void *params)
{
	const struct petite_linear_s8 *p = params;
	const int8_t *input = p->input;
	int8_t *output = p->output;

	for (int32_t r = 0; r < p->rows; r++) {
		const int8_t *weights = p->weights;

		for (int32_t o = 0; o < p->out_features; o++) {
			uint32_t sum = p->bias != NULL ? (uint32_t)p->bias[o] : 0;

			sum = petite_dot_s8(input, weights, p->in_features, 0, sum);
			*output++ =
				petite_requantize_s8(sum, p->multiplier, p->shift, p->output_offset,
						     p->activation_min, p->activation_max);
			weights += p->in_features;
		}
		input += p->in_features;
	}
	return PETITE_OK;
}
