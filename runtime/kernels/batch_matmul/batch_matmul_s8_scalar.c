/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "batch_matmul_s8.h"

static uint32_t multiply(const struct petite_batch_matmul_s8 *p, const int8_t *lhs,
			 const int8_t *rhs)
{
	const uint32_t lhs_offset = (uint32_t)p->lhs_offset;
	const uint32_t rhs_offset = (uint32_t)p->rhs_offset;
	uint32_t sum = 0;

	for (int32_t k = 0; k < p->inner; k++) {
		sum += ((uint32_t)lhs[k] + lhs_offset) * ((uint32_t)rhs[k] + rhs_offset);
	}
	return sum;
}

enum petite_status petite_batch_matmul_s8_scalar(const void *params)
{
	const struct petite_batch_matmul_s8 *p = params;
	const int8_t *lhs = p->lhs;
	const int8_t *matrix = p->rhs;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t r = 0; r < p->rows; r++) {
			const int8_t *rhs = matrix;

			for (int32_t c = 0; c < p->columns; c++) {
				*output++ = petite_requantize_s8(
					multiply(p, lhs, rhs), p->multiplier, p->shift,
					p->output_offset, p->activation_min, p->activation_max);
				rhs += p->inner;
			}
			lhs += p->inner;
		}
		matrix += p->columns * p->inner;
	}
	return PETITE_OK;
}
