/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of int8 times a weight matrix with Helium.
 *
 * The formula is that of linear_s8.h, and so are the bits. Four outputs are computed at once:
 * weights and biases are filled up to a multiple of 4 outputs.
 *
 * Ranges: as linear_s8; shift in [-31, 0].
 *
 * Overlap: as linear_s8.
 */
#ifndef PETITE_KERNELS_LINEAR_S8_MVE_H
#define PETITE_KERNELS_LINEAR_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_linear_s8_mve {
	/** [rows][in_features] */
	const int8_t *input;
	/** [out_features, rounded up to 4][in_features] */
	const int8_t *weights;
	/** [out_features, rounded up to 4], with the input's zero point folded in. */
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
 * @brief For cores with Helium.
 *
 * @param params A struct petite_linear_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_linear_s8_mve(const void *params);

#endif /* PETITE_KERNELS_LINEAR_S8_MVE_H */
