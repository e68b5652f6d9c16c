/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Softmax of rows of int8 with the DSP extension, with a table of exponentials.
 *
 * The formula is that of softmax_s8.h, and so are the bits.
 *
 * Differences to a row's maximum are 256 numbers at most. Their exponentials are computed once,
 * into scratch memory: that pays where there are more elements than that.
 *
 * Ranges: as softmax_s8.
 *
 * Overlap: as softmax_s8. Scratch must not overlap anything.
 */
#ifndef PETITE_KERNELS_SOFTMAX_S8_DSP_H
#define PETITE_KERNELS_SOFTMAX_S8_DSP_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_softmax_s8_dsp {
	/** [rows][columns] */
	const int8_t *input;
	/** [rows][columns] */
	int8_t *output;
	/** Aligned to 4: 1024 bytes. */
	int8_t *scratch;
	int32_t rows;
	int32_t columns;
	int32_t input_multiplier;
	int32_t input_shift;
	int32_t diff_min;
};

/**
 * @brief For cores with the DSP extension.
 *
 * @param params A struct petite_softmax_s8_dsp.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_softmax_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_SOFTMAX_S8_DSP_H */
