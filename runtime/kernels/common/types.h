/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Element types by the suffix that kernels' names carry, and arithmetic that wraps.
 *
 * Sums, differences and products of integers wrap, as PyTorch's do. C leaves that undefined for
 * signed types, and promotes small unsigned types to signed int, so they are computed in the
 * unsigned type of at least 32 bits (petite_wide_<suffix>) and converted back.
 */
#ifndef PETITE_KERNELS_COMMON_TYPES_H
#define PETITE_KERNELS_COMMON_TYPES_H

#include <stdint.h>

typedef int8_t petite_type_s8;
typedef int16_t petite_type_s16;
typedef int32_t petite_type_s32;
typedef int64_t petite_type_s64;
typedef uint8_t petite_type_u8;
typedef float petite_type_f32;
/** 0 or 1. */
typedef uint8_t petite_type_bool;

typedef uint32_t petite_wide_s8;
typedef uint32_t petite_wide_s16;
typedef uint32_t petite_wide_s32;
typedef uint64_t petite_wide_s64;
typedef uint32_t petite_wide_u8;

/** Whether a number of any integer type is below zero (which compilers refuse to ask of unsigned).
 */
static inline int petite_is_negative(int64_t x)
{
	return x < 0;
}

#endif /* PETITE_KERNELS_COMMON_TYPES_H */
