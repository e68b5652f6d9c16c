/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Windows that move over an image: strides, paddings and dilations of a call.
 */
#ifndef PETITE_OPERATORS_COMMON_WINDOW_H
#define PETITE_OPERATORS_COMMON_WINDOW_H

#include <stdint.h>

#include <petite/prepare.h>

#include "layout.h"

/** Each is of height and of width. */
struct petite_window {
	int32_t kernel[2];
	int32_t stride[2];
	int32_t padding[2];
	int32_t dilation[2];
};

/**
 * @brief Fail unless all numbers are small enough for kernels' 32-bit arithmetic, and every window
 *        of the output begins inside the padded image.
 */
void petite_check_window(struct petite_call *call, const struct petite_window *window,
			 const struct petite_image *input, const struct petite_image *output);

/** The first half of this: fail unless all numbers are small enough. */
void petite_check_window_numbers(struct petite_call *call, const struct petite_window *window);

/** Fail unless every window has a pixel of the image. All numbers have been checked. */
void petite_check_coverage(struct petite_call *call, const struct petite_window *window,
			   const struct petite_image *input, const struct petite_image *output);

/** Rows and columns of padding below and to the right that the output's size asks for. */
void petite_implied_padding(const struct petite_window *window, const struct petite_image *input,
			    const struct petite_image *output, int32_t *below, int32_t *right);

#endif /* PETITE_OPERATORS_COMMON_WINDOW_H */
