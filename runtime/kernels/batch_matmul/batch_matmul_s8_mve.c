/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "../common/bytes_mve.h"
#include "../common/requantize_mve.h"
#include "batch_matmul_s8.h"

/** Columns that are computed at once. */
#define BLOCK 4

static uint32_t sum_of(const int8_t *values, int32_t count)
{
	int32_t sum = 0;

	__asm__ volatile("	wlstp.8 lr, %[count], 2f\n"
			 "1:	vldrb.u8 q0, [%[values]], #16\n"
			 "	vaddva.s8 %[sum], q0\n"
			 "	letp lr, 1b\n"
			 "2:"
			 : [values] "+r"(values), [sum] "+Te"(sum)
			 : [count] "r"(count)
			 : "lr", "q0", "memory");
	return (uint32_t)sum;
}

/**
 * Two columns: the sum of (lhs + lhs_offset) * rhs.
 *
 * @param sums Two of them.
 */
static void multiply(const struct petite_batch_matmul_s8 *p, const int8_t *lhs, const int8_t *first,
		     const int8_t *second, uint32_t *sums)
{
	int32_t a = 0;
	int32_t b = 0;
	int32_t sum_a = 0;
	int32_t sum_b = 0;

	__asm__ volatile("	dlstp.8 lr, %[count]\n"
			 "1:	vldrb.u8 q0, [%[lhs]], #16\n"
			 "	vldrb.u8 q1, [%[first]], #16\n"
			 "	vmladava.s8 %[a], q0, q1\n"
			 "	vldrb.u8 q2, [%[second]], #16\n"
			 "	vmladava.s8 %[b], q0, q2\n"
			 "	vaddva.s8 %[sum_a], q1\n"
			 "	vaddva.s8 %[sum_b], q2\n"
			 "	letp lr, 1b\n"
			 : [lhs] "+r"(lhs), [first] "+r"(first), [second] "+r"(second),
			   [a] "+Te"(a), [b] "+Te"(b), [sum_a] "+Te"(sum_a), [sum_b] "+Te"(sum_b)
			 : [count] "r"(p->inner)
			 : "lr", "q0", "q1", "q2", "memory");
	sums[0] = (uint32_t)a + (uint32_t)p->lhs_offset * (uint32_t)sum_a;
	sums[1] = (uint32_t)b + (uint32_t)p->lhs_offset * (uint32_t)sum_b;
}

static void write_row(const struct petite_batch_matmul_s8 *p, const int8_t *lhs, const int8_t *rhs,
		      int8_t *output)
{
	/* The sum of (lhs + lhs_offset) * rhs_offset. */
	const uint32_t start =
		(uint32_t)p->rhs_offset *
		(sum_of(lhs, p->inner) + (uint32_t)p->inner * (uint32_t)p->lhs_offset);
	const int32x4_t multiplier = vdupq_n_s32(p->multiplier);
	const int32x4_t shift = vdupq_n_s32(p->shift);

	for (int32_t left = p->columns; left > 0; left -= BLOCK) {
		uint32_t sums[BLOCK] = {0};
		int32x4_t result;

		for (int32_t k = 0; k < BLOCK && k < left; k += 2) {
			/* The last of an odd number is computed twice. */
			multiply(p, lhs, rhs, k + 1 < left ? rhs + p->inner : rhs, sums + k);
			rhs += 2 * p->inner;
		}
		result = vreinterpretq_s32_u32(vaddq_n_u32(vldrwq_u32(sums), start));
		result = petite_requantize_mve(result, multiplier, shift);
		result = vaddq_n_s32(result, p->output_offset);
		result = vmaxq_s32(result, vdupq_n_s32(p->activation_min));
		result = vminq_s32(result, vdupq_n_s32(p->activation_max));
		petite_store_bytes_mve(output, result, left);
		output += BLOCK;
	}
}

enum petite_status petite_batch_matmul_s8_mve(const void *params)
{
	const struct petite_batch_matmul_s8 *p = params;
	const int8_t *lhs = p->lhs;
	const int8_t *matrix = p->rhs;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t r = 0; r < p->rows; r++) {
			write_row(p, lhs, matrix, output);
			lhs += p->inner;
			output += p->columns;
		}
		matrix += p->columns * p->inner;
	}
	return PETITE_OK;
}

#endif
