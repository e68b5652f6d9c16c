/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "weighted_sum_s8.h"

enum petite_status petite_weighted_sum_s8_scalar(const void *params)
{
	const struct petite_weighted_sum_s8 *p = params;

	for (int32_t i = 0, j = 0; i < p->count; i++, j++) {
		int32_t sum;

		if (j == p->period) {
			j = 0;
		}
		sum = p->weight1 * p->input1[i] + p->bias + p->weight2 * p->input2[j];
		p->output[i] =
			(int8_t)petite_clamp(sum >> p->shift, p->activation_min, p->activation_max);
	}
	return PETITE_OK;
}
