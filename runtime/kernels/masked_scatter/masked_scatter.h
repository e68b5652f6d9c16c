/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Elements that a mask marks are replaced by a source's, one after the other.
 *
 *     in ascending order of the output, with n = 0 at first:
 *     output[i] = mask[i] != 0 ? source[n++] : input[i]
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * operand is broadcast. Unused leading dimensions have size 1. element_size is 1, 2, 4 or 8 bytes.
 * The source is dense and has source_count elements; where the mask marks more than that, the
 * kernel fails with PETITE_ERR_DATA.
 *
 * Overlap: none between what is read and the output.
 */
#ifndef PETITE_KERNELS_MASKED_SCATTER_H
#define PETITE_KERNELS_MASKED_SCATTER_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_masked_scatter {
	const void *input;
	const void *mask;
	const void *source;
	void *output;
	int32_t element_size;
	int32_t source_count;
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
	int32_t mask_strides[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_masked_scatter.
 * @retval PETITE_OK Done. (The contract is not checked.)
 * @retval PETITE_ERR_DATA The mask marks more elements than the source has.
 */
enum petite_status petite_masked_scatter_scalar(const void *params);

#endif /* PETITE_KERNELS_MASKED_SCATTER_H */
