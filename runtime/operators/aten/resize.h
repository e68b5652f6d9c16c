/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What all operators that resize images take from a call.
 */
#ifndef PETITE_OPERATORS_ATEN_RESIZE_H
#define PETITE_OPERATORS_ATEN_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "aten.h"

/** An image, and what it becomes: planes, or pixels whose channels lie together. */
struct petite_resize {
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	/** Where the output is computed; see petite_call_deliver(). */
	struct petite_load_tensor target;
	/** Planes, or batches. */
	int32_t images;
	/** 1 for planes. */
	int32_t channels;
	uint32_t used;
};

/** Take the first argument and the output. */
void petite_call_resize(struct petite_call *call, struct petite_resize *own);

/**
 * Input pixels for one output pixel along one dimension, in float32: by a factor, or by the
 * centres of the outermost pixels.
 */
float petite_resize_scale(struct petite_call *call, int32_t size, int32_t output, double factor,
			  bool align_corners);

#endif /* PETITE_OPERATORS_ATEN_RESIZE_H */
