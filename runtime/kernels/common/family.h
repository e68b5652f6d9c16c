/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Declares the kernels of a family: one function on one element type each.
 */
#ifndef PETITE_KERNELS_COMMON_FAMILY_H
#define PETITE_KERNELS_COMMON_FAMILY_H

#include <petite/status.h>

/**
 * Declare petite_<family>_<function>_<types>_scalar(). Its parameter is a struct petite_<family>.
 *
 * @param types Element types of inputs and output: one where they are equal, else both.
 */
#define PETITE_DECLARE_KERNEL(family, function, types)                                             \
	enum petite_status petite_##family##_##function##_##types##_scalar(const void *params)

#endif /* PETITE_KERNELS_COMMON_FAMILY_H */
