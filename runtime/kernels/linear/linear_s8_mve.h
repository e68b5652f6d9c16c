/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of int8 times a weight matrix with Helium, from weights that were packed for it.
 *
 * The formula is that of linear_s8.h, and so are the bits.
 *
 * Packed weights: the in_features weights of an output are cut into chunks of 16, the last one
 * filled up with zeros. Four outputs make a block, the last one filled up with outputs of zeros:
 *
 *     weights[block][chunk][output in block][16]
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
	const int8_t *weights;
	/** A multiple of 4, with the input's zero point folded in. */
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
