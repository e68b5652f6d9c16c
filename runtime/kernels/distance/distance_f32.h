/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Distances between rows of float32.
 *
 *     output[b][i][j] = norm over k of |left[b][i][k] - right[b][j][k]|
 *
 * With pairs set, right is left and only j > i are there, row after row without gaps. The norm of
 * the differences d is, by `norm`,
 *
 *     0: how many are not 0      1: sum of d      2: square root of the sum of d * d
 *     3: the largest (0 at least; a NaN is never larger)
 *     4: pow(sum of pow(d, exponent), 1 / exponent)
 *
 * Sums start at zero and run in ascending order of k, each operation rounded to float32; pow and
 * the square root are libm's. The power of the sum is computed in double, as its exponent is not a
 * float32.
 *
 * Overlap: none between the output and an input.
 */
#ifndef PETITE_KERNELS_DISTANCE_F32_H
#define PETITE_KERNELS_DISTANCE_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula. */
struct petite_distance_f32 {
	/** [batches][left_rows][columns] */
	const float *left;
	/** [batches][right_rows][columns] */
	const float *right;
	float *output;
	int32_t batches;
	int32_t left_rows;
	int32_t right_rows;
	int32_t columns;
	/** 0 or 1. */
	int32_t pairs;
	/** 0 to 4. */
	int32_t norm;
	float exponent;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_distance_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_distance_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_DISTANCE_F32_H */
