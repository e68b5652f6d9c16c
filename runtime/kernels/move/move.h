/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Moves bytes to a place that may overlap the one where they are.
 *
 *     output[i] = what input[i] was before the call, for i in 0 .. size - 1
 *
 * Ranges: both addresses are multiples of 16 bytes, as those of all buffers of an arena are.
 *
 * Overlap: any, in both directions, but the output is not the input. Where the output lies, the
 * input is gone.
 */
#ifndef PETITE_KERNELS_MOVE_H
#define PETITE_KERNELS_MOVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_move {
	const void *input;
	void *output;
	/** Bytes, at least 1. */
	int32_t size;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_move.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_move_scalar(const void *params);

/** @brief The same for cores with Helium. */
enum petite_status petite_move_mve(const void *params);

#endif /* PETITE_KERNELS_MOVE_H */
