/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Copy of bytes.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_COPY_H
#define PETITE_KERNELS_COPY_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_copy {
	const void *input;
	void *output;
	/** Bytes, at least 1. */
	int32_t size;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_copy.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_copy_scalar(const void *params);

#endif /* PETITE_KERNELS_COPY_H */
