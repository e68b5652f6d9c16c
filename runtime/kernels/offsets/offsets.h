/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where the elements lie that an index tensor means, for take and put.
 *
 *     output[i] = base[i] + index[i] * scale
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where
 * an operand is broadcast. Unused leading dimensions have size 1. base may be NULL, for zeros; it
 * has the offsets of further index tensors.
 *
 * An index is at least 0 and below size. Where from_end is 1, an index from -size to -1 counts from
 * the end: size is added to it. Any other index makes the kernel fail with PETITE_ERR_DATA.
 *
 * The kernels are petite_offsets_s32_scalar() and petite_offsets_s64_s32_scalar(), for indices of
 * int32 and of int64.
 *
 * Ranges: size is at least 1, and no offset exceeds 32 bits. Overlap: none.
 */
#ifndef PETITE_KERNELS_OFFSETS_H
#define PETITE_KERNELS_OFFSETS_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_offsets {
	const void *index;
	const int32_t *base;
	int32_t *output;
	int32_t size;
	int32_t scale;
	int32_t from_end;
	int32_t dims[PETITE_MAX_RANK];
	int32_t index_strides[PETITE_MAX_RANK];
	int32_t base_strides[PETITE_MAX_RANK];
};

/**
 * @brief Indices of int32.
 *
 * @param params A struct petite_offsets.
 * @retval PETITE_OK Done. (The contract is not checked.)
 * @retval PETITE_ERR_DATA An index is out of range.
 */
enum petite_status petite_offsets_s32_scalar(const void *params);

/** @brief Indices of int64; see petite_offsets_s32_scalar(). */
enum petite_status petite_offsets_s64_s32_scalar(const void *params);

#endif /* PETITE_KERNELS_OFFSETS_H */
