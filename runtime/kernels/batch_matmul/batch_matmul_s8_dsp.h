/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Products of int8 matrices with the DSP extension.
 *
 * The formula is that of batch_matmul_s8.h, and so are the bits.
 *
 * Two rows of lhs are widened to int16 in scratch memory, with their offset, and multiplied by two
 * columns at a time, whose bytes are widened on the way. What the offset of rhs adds follows from
 * the sum of a row.
 *
 * Ranges: as batch_matmul_s8; shift in [-31, -1]; lhs_offset within +-2^14; sums in [-2^30, 2^30)
 * for all inputs; the output's offset within +-2^14.
 *
 * Overlap: as batch_matmul_s8. Scratch must not overlap anything.
 */
#ifndef PETITE_KERNELS_BATCH_MATMUL_S8_DSP_H
#define PETITE_KERNELS_BATCH_MATMUL_S8_DSP_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_batch_matmul_s8_dsp {
	/** [batches][rows][inner] */
	const int8_t *lhs;
	/** [batches][columns][inner] */
	const int8_t *rhs;
	/** [batches][rows][columns] */
	int8_t *output;
	/** Aligned to 4: 16 bytes for each 4 elements of a row, or fewer at its end. */
	int8_t *scratch;
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
 * @brief For cores with the DSP extension.
 *
 * @param params A struct petite_batch_matmul_s8_dsp.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_batch_matmul_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_BATCH_MATMUL_S8_DSP_H */
