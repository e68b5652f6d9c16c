/* SPDX-License-Identifier: Apache-2.0 */
#include "common/requantize.h"
#include "requantize_s32.h"

enum petite_status petite_requantize_s32_scalar(const void *params)
{
	const struct petite_requantize_s32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		p->output[i] = petite_requantize(p->value[i], p->multiplier[i], p->shift[i]);
	}
	return PETITE_OK;
}
