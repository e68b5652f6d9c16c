/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief One of two tensors by a condition, element by element, broadcast, of any element type.
 *
 *     output[i] = condition[i] != 0 ? input1[i] : input2[i]
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * operand is broadcast. Unused leading dimensions have size 1. element_size is 1, 2, 4 or 8 bytes.
 *
 * Overlap: in ascending order of the output, each element written after its inputs have been read:
 * the output may be, or start before, an input that is dense and not broadcast (the condition too,
 * where elements have one byte).
 */
#ifndef PETITE_KERNELS_WHERE_H
#define PETITE_KERNELS_WHERE_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_where {
	const void *condition;
	const void *input1;
	const void *input2;
	void *output;
	int32_t element_size;
	int32_t dims[PETITE_MAX_RANK];
	int32_t stride0[PETITE_MAX_RANK];
	int32_t stride1[PETITE_MAX_RANK];
	int32_t stride2[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_where.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_where_scalar(const void *params);

#endif /* PETITE_KERNELS_WHERE_H */
