/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Float32 values without a number, which not every C library's math.h has.
 */
#ifndef PETITE_OPERATORS_COMMON_REAL_H
#define PETITE_OPERATORS_COMMON_REAL_H

#include <float.h>
#include <stdbool.h>

#define PETITE_INFINITY __builtin_inff()
#define PETITE_NAN __builtin_nanf("")

/** Whether a number is infinite. */
static inline bool petite_is_infinite(double x)
{
	return x > DBL_MAX || x < -DBL_MAX;
}

#endif /* PETITE_OPERATORS_COMMON_REAL_H */
