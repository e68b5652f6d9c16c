/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of int8 times a weight matrix with the DSP extension, from weights that were packed
 * for it.
 *
 * The formula is that of linear_s8.h, and so are the bits.
 *
 * A row of the input is widened to int16 in scratch memory (common/expand_s8_dsp.h), then
 * multiplied by four outputs at a time (common/multiply_run_s8_dsp.h, which defines the packed
 * weights). Outputs are filled up with outputs of zeros to whole fours.
 *
 * Ranges: as linear_s8; shift in [-31, -1]; sums with their bias in [-2^30, 2^30) for all inputs;
 * the output's offset within +-2^14.
 *
 * Overlap: row by row, and a row is read before its output is written. Scratch must not overlap
 * anything.
 */
#ifndef PETITE_KERNELS_LINEAR_S8_DSP_H
#define PETITE_KERNELS_LINEAR_S8_DSP_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_linear_s8_dsp {
	/** [rows][in_features] */
	const int8_t *input;
	/** For each 4 outputs. */
	const int32_t *packed;
	/** [rows][out_features] */
	int8_t *output;
	/** Aligned to 4: 2 bytes for each input, rounded up to a multiple of 8. */
	int8_t *scratch;
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
 * @brief For cores with the DSP extension.
 *
 * @param params A struct petite_linear_s8_dsp.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_linear_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_LINEAR_S8_DSP_H */
