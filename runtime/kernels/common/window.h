/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Which positions of a sliding window lie inside the image, and which input reaches which
 * output of a transposed one.
 */
#ifndef PETITE_KERNELS_COMMON_WINDOW_H
#define PETITE_KERNELS_COMMON_WINDOW_H

#include <stdint.h>

/** Window positions first .. end - 1, the first of them at image row or column `start`. */
struct petite_window {
	int32_t first;
	int32_t end;
	int32_t start;
};

/**
 * Clip a window to the image, in one dimension.
 *
 * Counts instead of dividing: small cores have no division.
 *
 * @param origin Image coordinate of window position 0; may be negative.
 * @param dilation Distance of window positions in the image.
 * @param kernel Number of window positions.
 * @param size Number of rows or columns of the image.
 */
static inline struct petite_window petite_clip_window(int32_t origin, int32_t dilation,
						      int32_t kernel, int32_t size)
{
	struct petite_window window = {.first = 0, .end = 0, .start = origin};
	int32_t at;

	while (window.start < 0 && window.first < kernel) {
		window.first++;
		window.start += dilation;
	}
	window.end = window.first;
	for (at = window.start; at < size && window.end < kernel; at += dilation) {
		window.end++;
	}
	return window;
}

/**
 * The input row or column that reaches an output position of a transposed convolution through one
 * tap, or -1 for none.
 *
 * @param reach Output position before cropping, minus the tap's distance.
 * @param stride Distance of the inputs in the output.
 * @param size Number of rows or columns of the input.
 */
static inline int32_t petite_transposed_source(int32_t reach, int32_t stride, int32_t size)
{
	if (reach < 0 || reach % stride != 0 || reach / stride >= size) {
		return -1;
	}
	return reach / stride;
}

#endif /* PETITE_KERNELS_COMMON_WINDOW_H */
