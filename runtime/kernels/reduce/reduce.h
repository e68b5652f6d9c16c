/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Functions of all elements along some dimensions.
 *
 *     output[i0]...[i5] = function over r of
 *                         input[sum of ik * strides[k] + sum of rk * reduce_strides[k]]
 *
 * r runs in ascending order, the last index fastest. The output is dense; dims are its sizes,
 * outermost first. Strides are in elements. Unused leading dimensions have size 1.
 *
 * The kernels are petite_reduce_<function>_<types>_scalar(); <types> is the element type of input
 * and output, or both where they differ. Overlap: none between the input and the output.
 *
 * sum and prod of integers and of bool wrap in int64, which their result is; those of float32 begin
 * with 0 and with 1, each operation rounded to float32. mean is the sum divided by `divisor`, var
 * the sum of (x - m) * (x - m) divided by `divisor`, where m is the sum divided by the number of
 * elements; each operation is rounded to float32.
 *
 * max and min are NaN where an element is; argmax and argmin give the number of the first element
 * of that value, counted in the order of r, as int64; of the first NaN where there is one. On bool,
 * max says whether any element holds and min whether all do. These four need an element at least.
 */
#ifndef PETITE_KERNELS_REDUCE_H
#define PETITE_KERNELS_REDUCE_H

#include <stdint.h>

#include "../common/family.h"
#include "../common/rank.h"

/** Parameters; see the top of the file for the functions. */
struct petite_reduce {
	const void *input;
	void *output;
	/** The output, and where in the input each element's first operand is. */
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
	/** The dimensions that the function runs over. */
	int32_t reduce_dims[PETITE_MAX_RANK];
	int32_t reduce_strides[PETITE_MAX_RANK];
	/** Of mean and var; not used elsewhere. */
	float divisor;
};

#define PETITE_DECLARE_REDUCE(function, types) PETITE_DECLARE_KERNEL(reduce, function, types)
#define PETITE_DECLARE_EXTREMES(type)                                                              \
	PETITE_DECLARE_REDUCE(max, type);                                                          \
	PETITE_DECLARE_REDUCE(min, type);                                                          \
	PETITE_DECLARE_REDUCE(argmax, type##_s64);                                                 \
	PETITE_DECLARE_REDUCE(argmin, type##_s64)
#define PETITE_DECLARE_TOTALS(types)                                                               \
	PETITE_DECLARE_REDUCE(sum, types);                                                         \
	PETITE_DECLARE_REDUCE(prod, types)

PETITE_DECLARE_EXTREMES(s8);
PETITE_DECLARE_EXTREMES(u8);
PETITE_DECLARE_EXTREMES(s16);
PETITE_DECLARE_EXTREMES(s32);
PETITE_DECLARE_EXTREMES(f32);
PETITE_DECLARE_EXTREMES(bool);
PETITE_DECLARE_REDUCE(max, s64);
PETITE_DECLARE_REDUCE(min, s64);
PETITE_DECLARE_REDUCE(argmax, s64);
PETITE_DECLARE_REDUCE(argmin, s64);
PETITE_DECLARE_TOTALS(s8_s64);
PETITE_DECLARE_TOTALS(u8_s64);
PETITE_DECLARE_TOTALS(s16_s64);
PETITE_DECLARE_TOTALS(s32_s64);
PETITE_DECLARE_TOTALS(bool_s64);
PETITE_DECLARE_TOTALS(s64);
PETITE_DECLARE_TOTALS(f32);
PETITE_DECLARE_REDUCE(mean, f32);
PETITE_DECLARE_REDUCE(var, f32);

#endif /* PETITE_KERNELS_REDUCE_H */
