/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Copy of equally spaced blocks of bytes: concatenation, slices.
 *
 *     for n in 0 .. count - 1: block_size bytes from input + n * input_stride
 *                              to output + n * output_stride
 *
 * Concatenation: one call an input, with block_size = input_stride the bytes from the concatenated
 * dimension inwards, output_stride those of the output, and the offset in the output pointer. A
 * slice without steps: the same the other way round.
 *
 * Ranges: count and block_size are at least 1; strides are in bytes.
 *
 * Overlap: none between the blocks read and the blocks written.
 */
#ifndef PETITE_KERNELS_COPY_BLOCKS_H
#define PETITE_KERNELS_COPY_BLOCKS_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_copy_blocks {
	const void *input;
	void *output;
	int32_t count;
	int32_t block_size;
	int32_t input_stride;
	int32_t output_stride;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_copy_blocks.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_copy_blocks_scalar(const void *params);

#endif /* PETITE_KERNELS_COPY_BLOCKS_H */
