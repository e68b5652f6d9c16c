/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Sums of everything so far along one dimension.
 *
 *     output[o][0][i] = input[o][0][i]
 *     output[o][k][i] = output[o][k - 1][i] + input[o][k][i]
 *
 * for o < outer, k < length, i < inner, all arrays dense. int64 wraps; float32 is rounded after
 * each addition. The kernels are petite_cumsum_<type>_scalar().
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_CUMSUM_H
#define PETITE_KERNELS_CUMSUM_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula. */
struct petite_cumsum {
	const void *input;
	void *output;
	int32_t outer;
	int32_t length;
	int32_t inner;
};

enum petite_status petite_cumsum_s64_scalar(const void *params);
enum petite_status petite_cumsum_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_CUMSUM_H */
