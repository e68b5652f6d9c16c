/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reductions: which dimensions a call names, and the step that runs over them.
 */
#ifndef PETITE_OPERATORS_COMMON_REDUCTION_H
#define PETITE_OPERATORS_COMMON_REDUCTION_H

#include <stdint.h>

#include <petite/prepare.h>

/** Dimensions as bits; all of them where the call lists none. One number stands for itself. */
uint32_t petite_call_dimensions(struct petite_call *call, uint32_t position, uint32_t rank);

/** Bits of all dimensions. */
uint32_t petite_all_dimensions(uint32_t rank);

/** Elements along dimensions. */
int32_t petite_count_along(const struct petite_load_tensor *tensor, uint32_t dimensions);

/**
 * @brief A kernel whose parameters are a struct petite_reduce.
 *
 * @param call    Fails where the output has not the sizes of the other dimensions; those that are
 *                reduced may be there with size one.
 * @param used    Scratch used so far, for an output in another order.
 * @param divisor For the kernels that divide.
 */
void petite_call_reduce(struct petite_call *call, petite_kernel kernel, uint32_t *used,
			const struct petite_load_tensor *input, uint32_t dimensions,
			const struct petite_load_tensor *output, float divisor);

/** The divisor of a variance; with too few elements it is not a number. */
float petite_variance_divisor(int32_t count, double correction);

#endif /* PETITE_OPERATORS_COMMON_REDUCTION_H */
