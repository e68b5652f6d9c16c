/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where the largest, or the smallest, elements of each row are, the best first.
 *
 *     output[r][0 .. k - 1] = the columns of the first k elements of input[r][0 .. columns - 1],
 *     ordered from the largest on (from the smallest on, where largest is 0); of equal elements
 *     the first comes first
 *
 * NaN is larger than all other numbers.
 *
 * The kernels are petite_topk_<type>_s64_scalar(), by the type of the input, and
 * petite_topk_s64_scalar() for int64.
 *
 * Ranges: k is from 1 to columns. Overlap: none.
 */
#ifndef PETITE_KERNELS_TOPK_H
#define PETITE_KERNELS_TOPK_H

#include <stdint.h>

#include "../common/family.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_topk {
	const void *input;
	int64_t *output;
	int32_t rows;
	int32_t columns;
	int32_t k;
	int32_t largest;
};

PETITE_DECLARE_KERNEL(topk, s8, s64);
PETITE_DECLARE_KERNEL(topk, s16, s64);
PETITE_DECLARE_KERNEL(topk, s32, s64);
PETITE_DECLARE_KERNEL(topk, u8, s64);
PETITE_DECLARE_KERNEL(topk, f32, s64);
enum petite_status petite_topk_s64_scalar(const void *params);

#endif /* PETITE_KERNELS_TOPK_H */
