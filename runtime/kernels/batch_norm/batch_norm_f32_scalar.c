/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_norm_f32.h"

enum petite_status petite_batch_norm_f32_scalar(const void *params)
{
	const struct petite_batch_norm_f32 *p = params;
	const float *input = p->input;
	float *output = p->output;

	for (int32_t o = 0; o < p->outer; o++) {
		for (int32_t c = 0; c < p->channels; c++) {
			const float mean = p->mean[c];
			const float scale = p->scale[c];
			const float weight = p->weights[c];
			const float bias = p->bias[c];

			for (int32_t i = 0; i < p->inner; i++) {
				*output++ = (*input++ - mean) * scale * weight + bias;
			}
		}
	}
	return PETITE_OK;
}
