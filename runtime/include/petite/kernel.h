/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the executor knows of a kernel.
 *
 * A kernel is a function of one pointer: to its own parameter structure, which is constant and
 * holds the addresses of all it reads and writes. It keeps nothing between calls, allocates
 * nothing, and writes only to the outputs and the scratch that its parameters name.
 *
 * Control flow is a kernel too: what it returns may tell the executor to skip steps. Steps are only
 * ever skipped forwards, so a run takes at most as many calls as its plan has steps.
 */
#ifndef PETITE_KERNEL_H
#define PETITE_KERNEL_H

#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @param params The kernel's own parameter structure, valid by its contract.
 * @retval PETITE_OK Done; the next step is next.
 * @return A negative status where the kernel could not do its work: the run ends with it. For
 *         example PETITE_ERR_KERNEL where it found its contract broken.
 * @return 1 to PETITE_MAX_SKIP: done, and so many of the steps that follow are skipped. Only the
 *         kernel `branch` does this. Where fewer steps follow, the run ends with PETITE_ERR_KERNEL.
 */
typedef enum petite_status (*petite_kernel)(const void *params);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_KERNEL_H */
