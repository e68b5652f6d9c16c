/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Constant padding of a dense tensor of any element type.
 *
 *     output[o0]...[o5] = input[o0 - before[0]]...[o5 - before[5]] inside the input,
 *                         fill elsewhere
 *
 * Both tensors are dense, outermost dimension first. Unused leading dimensions have size 1 and no
 * padding.
 *
 * Ranges: input_dims at least 1; before and after at least 0; element_size is 1, 2, 4 or 8.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_PAD_H
#define PETITE_KERNELS_PAD_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_pad {
	const void *input;
	void *output;
	int32_t element_size;
	int32_t input_dims[PETITE_MAX_RANK];
	int32_t before[PETITE_MAX_RANK];
	int32_t after[PETITE_MAX_RANK];
	/** The fill value's first element_size bytes, in the order of memory. */
	uint8_t fill[8];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_pad.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_pad_scalar(const void *params);

#endif /* PETITE_KERNELS_PAD_H */
