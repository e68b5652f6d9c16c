/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Order in memory of the tensors of a program, for prepare functions.
 *
 * Dimensions of size one move no byte, so they are ignored wherever orders are compared.
 */
#ifndef PETITE_OPERATORS_COMMON_LAYOUT_H
#define PETITE_OPERATORS_COMMON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <petite/prepare.h>

/** An image, as kernels see it: rows of pixels, channels innermost. */
struct petite_image {
	int32_t batches;
	int32_t height;
	int32_t width;
	int32_t channels;
};

/** Bytes of an element. */
uint32_t petite_element_size(uint8_t dtype);

/** Whether two tensors have the same sizes. */
bool petite_same_sizes(const struct petite_load_tensor *a, const struct petite_load_tensor *b);

/** Whether two tensors have the same sizes, and elements of the same index at the same place. */
bool petite_same_layout(const struct petite_load_tensor *a, const struct petite_load_tensor *b);

/** Whether the dimensions of two tensors of the same rank have the same order in memory. */
bool petite_same_order(const struct petite_load_tensor *a, const struct petite_load_tensor *b);

/** Whether a dimension is the innermost in memory. */
bool petite_is_innermost(const struct petite_load_tensor *tensor, uint32_t dimension);

/** Distance in memory, in elements, of neighbours in each dimension. */
void petite_strides_of(const struct petite_load_tensor *tensor, int32_t *strides);

/**
 * @brief The sizes of an image with its channels innermost in memory.
 *
 * @param call    Fails where the tensor is not of that form, or has a size of 0.
 * @param tensor  Of rank 4.
 * @param is_nhwc Whether its dimensions are batch, row, column, channel; otherwise they are batch,
 *                channel, row, column.
 */
struct petite_image petite_image_of(struct petite_call *call,
				    const struct petite_load_tensor *tensor, bool is_nhwc);

/**
 * @brief Sizes of an output, outermost in memory first, and the strides of an input that is
 *        broadcast to them.
 *
 * @param call    Fails where the input cannot be broadcast to the output.
 * @param dims    [PETITE_LOAD_RANK] Unused leading ones have size 1.
 * @param strides [PETITE_LOAD_RANK] In elements of the input; 0 where it is broadcast.
 */
void petite_broadcast(struct petite_call *call, const struct petite_load_tensor *output,
		      const struct petite_load_tensor *input, int32_t *dims, int32_t *strides);

/** A dimension of a tensor, counted from the front; negative ones count from the end. */
uint32_t petite_as_dimension(struct petite_call *call, int32_t dimension, uint32_t rank);

/** An argument that is a dimension of a tensor; negative ones count from the end. */
uint32_t petite_call_dimension(struct petite_call *call, uint32_t position, uint32_t rank);

/** Height and width; one number stands for both. Each at least `least`; 1 after a failure. */
void petite_call_pair(struct petite_call *call, uint32_t position, int32_t least, int32_t *pair);

#endif /* PETITE_OPERATORS_COMMON_LAYOUT_H */
