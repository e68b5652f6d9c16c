/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Product of float32 matrices, with bias: linear, mm, addmm.
 *
 *     sum = sum over k of input[r][k] * weights[k * inner_stride + c * column_stride]
 *     output[r][c] = bias == NULL ? sum
 *                    : sum * alpha + bias[r * bias_row_stride + c * bias_column_stride] * beta
 *
 * The sum starts at zero and is taken in ascending order of k, each operation rounded to float32,
 * as in ExecuTorch's portable mm and addmm. For weights stored [columns][inner] (linear)
 * inner_stride is 1 and column_stride is inner; stored [inner][columns] (mm) they are columns and
 * 1.
 *
 * Ranges: sizes at least 1; strides in elements.
 *
 * Overlap: row by row. Input rows before row r are never read once output row r is begun, so the
 * output may overlap them; an output row must not overlap its own input row or a later one. The
 * other arrays must not overlap the output.
 */
#ifndef PETITE_KERNELS_LINEAR_F32_H
#define PETITE_KERNELS_LINEAR_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_linear_f32 {
	/** [rows][inner] */
	const float *input;
	const float *weights;
	/** NULL for none. */
	const float *bias;
	/** [rows][columns] */
	float *output;
	int32_t rows;
	int32_t inner;
	int32_t columns;
	int32_t inner_stride;
	int32_t column_stride;
	/** 0 for a bias that is the same for each row. */
	int32_t bias_row_stride;
	int32_t bias_column_stride;
	/** Factors of the product and of the bias, usually 1; not used without a bias. */
	float alpha;
	float beta;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_linear_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_linear_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_LINEAR_F32_H */
