/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The rank that kernels of strided tensors work in.
 */
#ifndef PETITE_KERNELS_COMMON_RANK_H
#define PETITE_KERNELS_COMMON_RANK_H

/** Dimensions in every list of sizes or strides; tensors of lower rank get leading sizes of 1. */
#define PETITE_MAX_RANK 6

#endif /* PETITE_KERNELS_COMMON_RANK_H */
