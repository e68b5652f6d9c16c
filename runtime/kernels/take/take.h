/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Strided copy from where offsets say: embeddings, indexing, mirrored padding, of any
 * element type.
 *
 *     output[o0]...[o5] = input[sum of ok * strides[k] + offsets[sum of ok * offset_strides[k]]]
 *
 * The output is dense; dims are its sizes, outermost first. Strides count elements and are not
 * negative; 0 repeats. Unused leading dimensions have size 1. element_size is 1, 2, 4 or 8 bytes.
 * The offsets come from the compiler or from an offsets kernel, and are trusted.
 *
 * Overlap: none between what is read and the output.
 */
#ifndef PETITE_KERNELS_TAKE_H
#define PETITE_KERNELS_TAKE_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_take {
	const void *input;
	const int32_t *offsets;
	void *output;
	int32_t element_size;
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
	int32_t offset_strides[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_take.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_take_scalar(const void *params);

#endif /* PETITE_KERNELS_TAKE_H */
