/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kernels that the tests generate from the kernels' headers. */
#ifndef KERNEL_DRIVER_H
#define KERNEL_DRIVER_H

#include <stdint.h>

#include <petite/kernel.h>

extern const petite_kernel kernels[];
extern const uint32_t kernel_count;

#endif /* KERNEL_DRIVER_H */
