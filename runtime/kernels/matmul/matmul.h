/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Products of matrices, batch by batch: mm, bmm.
 *
 *     output[b][r][c] = sum over k of
 *             input[b][r][k] *
 *             weights[b * weights_batch_stride + k * inner_stride + c * column_stride]
 *
 * The sum starts at zero and runs in ascending order of k. Integers wrap; each operation on float32
 * is rounded. The kernels are petite_matmul_<type>_scalar().
 *
 * Ranges: sizes are at least 1, inner at least 0; strides in elements.
 *
 * Overlap: row by row. Input rows before row r are never read once output row r is begun, so the
 * output may overlap them; an output row must not overlap its own input row or a later one. The
 * weights must not overlap the output.
 */
#ifndef PETITE_KERNELS_MATMUL_H
#define PETITE_KERNELS_MATMUL_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_matmul {
	/** [batches][rows][inner] */
	const void *input;
	const void *weights;
	/** [batches][rows][columns] */
	void *output;
	int32_t batches;
	int32_t rows;
	int32_t inner;
	int32_t columns;
	int32_t weights_batch_stride;
	int32_t inner_stride;
	int32_t column_stride;
};

enum petite_status petite_matmul_s8_scalar(const void *params);
enum petite_status petite_matmul_u8_scalar(const void *params);
enum petite_status petite_matmul_s16_scalar(const void *params);
enum petite_status petite_matmul_s32_scalar(const void *params);
enum petite_status petite_matmul_s64_scalar(const void *params);
enum petite_status petite_matmul_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_MATMUL_H */
