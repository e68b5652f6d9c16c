/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Products of int8 matrices, requantised with one scale.
 *
 *     acc = sum over k of (lhs[b][r][k] + lhs_offset) * (rhs[b][c][k] + rhs_offset)
 *     output[b][r][c] = clamp(requantise(acc) + output_offset)
 *
 * The right-hand side is stored transposed. Sums wrap at 32 bits. requantise is CMSIS-NN's: value *
 * multiplier * 2^(shift - 31), rounded twice (common/requantize.h).
 *
 * Ranges: sizes are at least 1, shift in [-31, 30], multiplier at least -(2^31 - 1). Offsets may
 * lie outside int8.
 *
 * Overlap: row by row. The rows of lhs before the row that is being written are never read again,
 * nor are the matrices of rhs before the current batch, so the output may overlap those.
 */
#ifndef PETITE_KERNELS_BATCH_MATMUL_S8_H
#define PETITE_KERNELS_BATCH_MATMUL_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_batch_matmul_s8 {
	/** [batches][rows][inner] */
	const int8_t *lhs;
	/** [batches][columns][inner] */
	const int8_t *rhs;
	/** [batches][rows][columns] */
	int8_t *output;
	int32_t batches;
	int32_t rows;
	int32_t columns;
	int32_t inner;
	/** Minus the zero points: added to each element. */
	int32_t lhs_offset;
	int32_t rhs_offset;
	int32_t multiplier;
	int32_t shift;
	/** The output's zero point: added after requantisation. */
	int32_t output_offset;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_batch_matmul_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_batch_matmul_s8_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits.
 *
 * @param params A struct petite_batch_matmul_s8 with a shift of at most 0.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_batch_matmul_s8_mve(const void *params);

#endif /* PETITE_KERNELS_BATCH_MATMUL_S8_H */
