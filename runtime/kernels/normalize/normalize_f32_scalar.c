/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>

#include "normalize_f32.h"

struct moments {
	float mean;
	float deviation;
};

static struct moments measure(const float *row, int32_t columns, float epsilon)
{
	const float count = (float)columns;
	float sum = 0.0f;
	float squares = 0.0f;
	struct moments found;

	for (int32_t c = 0; c < columns; c++) {
		sum += row[c];
		squares += row[c] * row[c];
	}
	found.mean = sum / count;
	found.deviation = sqrtf(squares / count - found.mean * found.mean + epsilon);
	return found;
}

enum petite_status petite_normalize_f32_scalar(const void *params)
{
	const struct petite_normalize_f32 *p = params;
	const int32_t channels = p->columns / p->inner;
	const float *input = p->input;
	float *output = p->output;
	int32_t group = 0;

	for (int32_t r = 0; r < p->rows; r++) {
		struct moments found = measure(input, p->columns, p->epsilon);

		for (int32_t k = 0; k < channels; k++) {
			const int32_t w = group * channels + k;

			for (int32_t i = 0; i < p->inner; i++) {
				float y = (*input++ - found.mean) / found.deviation;

				y = p->weights != NULL ? y * p->weights[w] : y;
				*output++ = p->bias != NULL ? y + p->bias[w] : y;
			}
		}
		group = group + 1 < p->groups ? group + 1 : 0;
	}
	return PETITE_OK;
}
