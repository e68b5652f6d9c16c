/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of window_max.h; only its files include this.
 */
#ifndef PETITE_KERNELS_WINDOW_MAX_DEFINE_WINDOW_MAX_H
#define PETITE_KERNELS_WINDOW_MAX_DEFINE_WINDOW_MAX_H

#include "../common/types.h"
#include "../common/window.h"
#include "window_max.h"

/** Visit every window of every plane; result is an expression of the plane and of the place. */
#define PETITE_DEFINE_WINDOW_MAX_KERNEL(what, types, in, out, result)                              \
	enum petite_status petite_window_max_##what##_##types##_scalar(const void *params)         \
	{                                                                                          \
		const struct petite_window_max *p = params;                                        \
		const in *plane = p->input;                                                        \
		out *output = p->output;                                                           \
                                                                                                   \
		for (int32_t n = 0; n < p->planes; n++) {                                          \
			for (int32_t y = 0; y < p->output_h; y++) {                                \
				for (int32_t x = 0; x < p->output_w; x++) {                        \
					const int32_t place = find_largest(p, plane, y, x);        \
                                                                                                   \
					*output++ = (result);                                      \
				}                                                                  \
			}                                                                          \
			plane += p->input_h * p->input_w;                                          \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

/**
 * Define both kernels of one type.
 *
 * @param types The types of petite_window_max_place.
 */
#define PETITE_DEFINE_WINDOW_MAX(type, types)                                                      \
	static int32_t find_largest(const struct petite_window_max *p,                             \
				    const petite_type_##type *plane, int32_t y, int32_t x)         \
	{                                                                                          \
		const struct petite_window rows = petite_clip_window(                              \
			y * p->stride_h - p->pad_top, p->dilation_h, p->kernel_h, p->input_h);     \
		const struct petite_window columns = petite_clip_window(                           \
			x * p->stride_w - p->pad_left, p->dilation_w, p->kernel_w, p->input_w);    \
		int32_t row = rows.start * p->input_w + columns.start;                             \
		int32_t best = row;                                                                \
                                                                                                   \
		for (int32_t ky = rows.first; ky < rows.end; ky++) {                               \
			int32_t at = row;                                                          \
                                                                                                   \
			for (int32_t kx = columns.first; kx < columns.end; kx++) {                 \
				best = plane[at] > plane[best] ? at : best;                        \
				at += p->dilation_w;                                               \
			}                                                                          \
			row += p->dilation_h * p->input_w;                                         \
		}                                                                                  \
		return best;                                                                       \
	}                                                                                          \
                                                                                                   \
	PETITE_DEFINE_WINDOW_MAX_KERNEL(value, type, petite_type_##type, petite_type_##type,       \
					plane[place])                                              \
	PETITE_DEFINE_WINDOW_MAX_KERNEL(place, types, petite_type_##type, petite_type_s64, place)

#endif /* PETITE_KERNELS_WINDOW_MAX_DEFINE_WINDOW_MAX_H */
