/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A copy of a tensor with elements replaced, or added to, where offsets say: scatters.
 *
 *     output[n] = input[n] for n in 0 .. count - 1, and then, in ascending order of (o0 ... o5):
 *     at = sum of ok * strides[k] + offsets[sum of ok * offset_strides[k]]
 *     output[at] = source[sum of ok * source_strides[k]]
 *
 * So of several values for one place the last one stays. dims are the numbers of steps, outermost
 * first; unused leading dimensions have size 1. Strides count elements and are not negative; 0
 * repeats. The offsets come from the compiler or from an offsets kernel, and are trusted.
 *
 * petite_put_scalar() does this for any element type; element_size is 1, 2, 4 or 8 bytes.
 * petite_put_add_<type>_scalar() add instead: output[at] = output[at] + source[...]. Integers wrap;
 * the sum of bools is whether one of them holds. They do not read element_size.
 *
 * Overlap: none between what is read and the output.
 */
#ifndef PETITE_KERNELS_PUT_H
#define PETITE_KERNELS_PUT_H

#include <stdint.h>

#include "../common/family.h"
#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_put {
	const void *input;
	const void *source;
	const int32_t *offsets;
	void *output;
	int32_t element_size;
	int32_t count;
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
	int32_t source_strides[PETITE_MAX_RANK];
	int32_t offset_strides[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_put.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_put_scalar(const void *params);

PETITE_DECLARE_KERNEL(put, add, s8);
PETITE_DECLARE_KERNEL(put, add, s16);
PETITE_DECLARE_KERNEL(put, add, s32);
PETITE_DECLARE_KERNEL(put, add, s64);
PETITE_DECLARE_KERNEL(put, add, u8);
PETITE_DECLARE_KERNEL(put, add, f32);
PETITE_DECLARE_KERNEL(put, add, bool);

#endif /* PETITE_KERNELS_PUT_H */
