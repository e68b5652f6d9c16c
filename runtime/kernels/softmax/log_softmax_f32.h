/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Logarithm of the softmax of rows of float32.
 *
 *     e[c] = exp(input[r][c] - (maximum of row r))        rounded to float32
 *     output[r][c] = input[r][c] - (maximum of row r) - log(sum of the row's e)
 *
 * The sum starts at zero and runs in ascending order, each operation rounded to float32: the order
 * of ExecuTorch's portable operator. Exponentials are those of common/exp.h, the logarithm is
 * libm's.
 *
 * Ranges: sizes are at least 1.
 *
 * Overlap: row by row; an output row may be its own input row. Earlier rows are not read again.
 */
#ifndef PETITE_KERNELS_LOG_SOFTMAX_F32_H
#define PETITE_KERNELS_LOG_SOFTMAX_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_log_softmax_f32 {
	/** [rows][columns] */
	const float *input;
	/** [rows][columns] */
	float *output;
	int32_t rows;
	int32_t columns;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_log_softmax_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_log_softmax_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_LOG_SOFTMAX_F32_H */
