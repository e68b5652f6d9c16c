/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Elements of a tensor whose places other tensors say when the model runs.
 *
 * All tensors are contiguous.
 */
#ifndef PETITE_OPERATORS_COMMON_PLACES_H
#define PETITE_OPERATORS_COMMON_PLACES_H

#include <stdint.h>

#include <petite/prepare.h>

/** The element o . steps + offsets[o] for each o of a shape. */
struct petite_places {
	int32_t shape[PETITE_LOAD_RANK];
	int32_t steps[PETITE_LOAD_RANK];
	int32_t offset_strides[PETITE_LOAD_RANK];
	const int32_t *offsets;
	/** The furthest that an offset reaches. */
	int32_t reach;
	uint32_t rank;
};

/**
 * @brief A step that turns indices into offsets: base + index * scale.
 *
 * An index that is not below the size ends a run with PETITE_ERR_DATA.
 *
 * @param index    Of int32 or int64.
 * @param from_end Whether negative indices count from the end.
 * @param base     Offsets so far, which the index is broadcast with; replaced by their sums. Its
 *                 data is NULL before the first.
 */
void petite_call_offsets(struct petite_call *call, uint32_t *used,
			 const struct petite_load_tensor *index, int32_t size, int32_t scale,
			 bool from_end, struct petite_load_tensor *base, bool is_first);

/** Append a dimension that steps through the tensor, and for which offsets are the same. */
void petite_places_add(struct petite_call *call, struct petite_places *places, int32_t size,
		       int32_t step);

/** Append the dimensions of offsets, which add nothing else. */
void petite_places_add_offsets(struct petite_call *call, struct petite_places *places,
			       const struct petite_load_tensor *offsets);

/**
 * @brief Read what is at places, and write it densely.
 *
 * @param call Fails where a place may be outside the input, or the output is of another size.
 */
void petite_call_take(struct petite_call *call, const struct petite_load_tensor *input,
		      const struct petite_places *places, const struct petite_load_tensor *output);

/**
 * @brief Copy a target to an output, with what is at places replaced by a source's elements.
 *
 * @param kernel petite_put_scalar(), or one that adds.
 * @param source Broadcast to the places' shape.
 */
void petite_call_put(struct petite_call *call, petite_kernel kernel,
		     const struct petite_load_tensor *target,
		     const struct petite_load_tensor *source, const struct petite_places *places,
		     const struct petite_load_tensor *output);

#endif /* PETITE_OPERATORS_COMMON_PLACES_H */
