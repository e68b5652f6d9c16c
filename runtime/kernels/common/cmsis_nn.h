/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the kernels that call CMSIS-NN share; included only where that library is.
 *
 * Parameters of these kernels are Petite's, filled by the compiler; each kernel copies them to the
 * library's own structures on the stack.
 */
#ifndef PETITE_KERNELS_COMMON_CMSIS_NN_H
#define PETITE_KERNELS_COMMON_CMSIS_NN_H

#include <stdbool.h>
#include <stddef.h>

#include <arm_nnfunctions.h>

#include <petite/status.h>

#ifdef CMSIS_NN_USE_SINGLE_ROUNDING
#error "CMSIS-NN with single rounding gives other results than the model was quantised for: build it without CMSIS_NN_USE_SINGLE_ROUNDING"
#endif

/**
 * Whether the library wants more scratch memory than the compiler reserved for the call, because it
 * was built for another instruction set, or is another version. (Without scratch memory at all the
 * library itself refuses, or takes a way that needs none.)
 */
static inline bool petite_cmsis_nn_lacks(const int8_t *scratch, int32_t size, int32_t needed)
{
	return scratch != NULL && size < needed;
}

static inline enum petite_status petite_cmsis_nn_status(arm_cmsis_nn_status status)
{
	return status == ARM_CMSIS_NN_SUCCESS ? PETITE_OK : PETITE_ERR_KERNEL;
}

#endif /* PETITE_KERNELS_COMMON_CMSIS_NN_H */
