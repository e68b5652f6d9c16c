/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of float32 brought to mean 0 and variance 1: layer and group normalisation.
 *
 *     mean = (sum over c of x[c]) / columns
 *     square = (sum over c of x[c] * x[c]) / columns
 *     deviation = sqrt(square - mean * mean + epsilon)
 *     w = (r % groups) * (columns / inner) + c / inner
 *     output[r][c] = (x[c] - mean) / deviation * weights[w] + bias[w]
 *
 * for the row x = input[r]. Sums start at zero and run in ascending order of c. Each operation is
 * rounded to float32, in the order that is written: that of ExecuTorch's portable layer norm.
 * Without weights the factor is left out, without bias the summand.
 *
 * Layer normalisation has groups = inner = 1: a weight for each column. Group normalisation has a
 * weight for each channel: groups of them repeat, and a channel has `inner` elements.
 *
 * Ranges: sizes are at least 1; inner divides columns.
 *
 * Overlap: row by row; an output row may be its own input row. Earlier rows are not read again.
 */
#ifndef PETITE_KERNELS_NORMALIZE_F32_H
#define PETITE_KERNELS_NORMALIZE_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_normalize_f32 {
	/** [rows][columns] */
	const float *input;
	/** [groups * columns / inner], or NULL. */
	const float *weights;
	/** Like the weights. */
	const float *bias;
	/** [rows][columns] */
	float *output;
	int32_t rows;
	int32_t columns;
	int32_t groups;
	int32_t inner;
	float epsilon;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_normalize_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_normalize_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_NORMALIZE_F32_H */
