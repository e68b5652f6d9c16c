/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of int8 times a weight matrix, requantised with one scale.
 *
 *     acc = bias[o] + sum over i of input[r][i] * weights[o][i]
 *     output[r][o] = clamp(requantise(acc) + output_offset)
 *
 * The input's zero point is folded into the bias: bias[o] + input_offset * (sum of weights[o]).
 * Sums wrap at 32 bits. requantise is CMSIS-NN's: value * multiplier * 2^(shift - 31), rounded
 * twice (common/requantize.h).
 *
 * Ranges: sizes are at least 1, shift in [-31, 30], multiplier at least -(2^31 - 1).
 *
 * Overlap: row by row. Input rows before row r are never read once output row r is begun, so the
 * output may overlap them; an output row must not overlap its own input row or a later one. The
 * other arrays must not overlap the output.
 */
#ifndef PETITE_KERNELS_LINEAR_S8_H
#define PETITE_KERNELS_LINEAR_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_linear_s8 {
	/** [rows][in_features] */
	const int8_t *input;
	/** [out_features][in_features] */
	const int8_t *weights;
	/** [out_features], with the input's zero point folded in; NULL for none. */
	const int32_t *bias;
	/** [rows][out_features] */
	int8_t *output;
	int32_t rows;
	int32_t in_features;
	int32_t out_features;
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
 * @param params A struct petite_linear_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_linear_s8_scalar(const void *params);

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN: the same bits, by the library's
 *        arm_fully_connected_s8(). There is a bias; nothing overlaps the output.
 *
 * @param params A struct petite_linear_s8.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call.
 */
enum petite_status petite_linear_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_LINEAR_S8_H */
