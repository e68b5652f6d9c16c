/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the executor knows of a kernel.
 *
 * A kernel is a function of one pointer: to its own parameter structure, which is constant and
 * holds the addresses of all it reads and writes. It keeps nothing between calls, allocates
 * nothing, and writes only to the outputs and the scratch that its parameters name.
 */
#ifndef PETITE_KERNEL_H
#define PETITE_KERNEL_H

#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @param params The kernel's own parameter structure, valid by its contract.
 * @return PETITE_OK, or PETITE_ERR_KERNEL where the kernel found its contract broken.
 */
typedef enum petite_status (*petite_kernel)(const void *params);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_KERNEL_H */
