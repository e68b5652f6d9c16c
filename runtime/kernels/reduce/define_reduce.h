/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of reduce.h; only their files include this.
 */
#ifndef PETITE_KERNELS_REDUCE_DEFINE_REDUCE_H
#define PETITE_KERNELS_REDUCE_DEFINE_REDUCE_H

#include "../common/strided.h"
#include "../common/types.h"
#include "reduce.h"

/**
 * Define a fold: name(p, input, s) passes the state s along all elements from `input` on.
 *
 * @param in Type of the elements, a C type.
 * @param state Type of the state, a C type.
 * @param step Statement of the state s, the element x and its number n.
 */
#define PETITE_DEFINE_FOLD(name, in, state, step)                                                  \
	static state name(const struct petite_reduce *p, const in *input, state s)                 \
	{                                                                                          \
		const int32_t rows = petite_row_count(p->reduce_dims);                             \
		const int32_t columns = p->reduce_dims[PETITE_OUTER_RANK];                         \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		int32_t n = 0;                                                                     \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const in *at = input + petite_row_offset(index, p->reduce_strides);        \
                                                                                                   \
			for (int32_t i = 0; i < columns; i++, n++) {                               \
				const in x = at[i * p->reduce_strides[PETITE_OUTER_RANK]];         \
                                                                                                   \
				step;                                                              \
			}                                                                          \
			petite_next_row(index, p->reduce_dims);                                    \
		}                                                                                  \
		(void)n;                                                                           \
		return s;                                                                          \
	}

/**
 * Define petite_reduce_<function>_<types>_scalar().
 *
 * @param in Type of the input's elements, a C type.
 * @param out Type of an output element, a C type.
 * @param result Expression of p and of the first element's address, input.
 */
#define PETITE_DEFINE_REDUCE(function, types, in, out, result)                                     \
	enum petite_status petite_reduce_##function##_##types##_scalar(const void *params)         \
	{                                                                                          \
		const struct petite_reduce *p = params;                                            \
		const int32_t rows = petite_row_count(p->dims);                                    \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		out *output = p->output;                                                           \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const in *input = p->input;                                                \
                                                                                                   \
			input += petite_row_offset(index, p->strides);                             \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				*output++ = (out)(result);                                         \
				input += p->strides[PETITE_OUTER_RANK];                            \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

/**
 * Define the extremes of one type.
 *
 * @param places The types of argmax and argmin.
 * @param above Macro of x and y: whether x replaces y as the largest so far.
 * @param below The same for the smallest.
 */
#define PETITE_DEFINE_EXTREMES(type, places, above, below)                                         \
	struct place_##type {                                                                      \
		petite_type_##type value;                                                          \
		int32_t number;                                                                    \
	};                                                                                         \
	PETITE_DEFINE_FOLD(largest_##type, petite_type_##type, petite_type_##type,                 \
			   s = above(x, s) ? x : s)                                                \
	PETITE_DEFINE_FOLD(smallest_##type, petite_type_##type, petite_type_##type,                \
			   s = below(x, s) ? x : s)                                                \
	PETITE_DEFINE_FOLD(largest_at_##type, petite_type_##type, struct place_##type,             \
			   s = above(x, s.value) ? ((struct place_##type){x, n}) : s)              \
	PETITE_DEFINE_FOLD(smallest_at_##type, petite_type_##type, struct place_##type,            \
			   s = below(x, s.value) ? ((struct place_##type){x, n}) : s)              \
	PETITE_DEFINE_REDUCE(max, type, petite_type_##type, petite_type_##type,                    \
			     largest_##type(p, input, *input))                                     \
	PETITE_DEFINE_REDUCE(min, type, petite_type_##type, petite_type_##type,                    \
			     smallest_##type(p, input, *input))                                    \
	PETITE_DEFINE_REDUCE(argmax, places, petite_type_##type, petite_type_s64,                  \
			     largest_at_##type(p, input, (struct place_##type){*input, 0}).number) \
	PETITE_DEFINE_REDUCE(                                                                      \
		argmin, places, petite_type_##type, petite_type_s64,                               \
		smallest_at_##type(p, input, (struct place_##type){*input, 0}).number)

#define PETITE_ABOVE(x, y) ((x) > (y))
#define PETITE_BELOW(x, y) ((x) < (y))

/** Define sum and prod of an integer type, in int64. */
#define PETITE_DEFINE_TOTALS(type, types)                                                          \
	PETITE_DEFINE_FOLD(sum_##type, petite_type_##type, uint64_t, s += (uint64_t)x)             \
	PETITE_DEFINE_FOLD(product_##type, petite_type_##type, uint64_t, s *= (uint64_t)x)         \
	PETITE_DEFINE_REDUCE(sum, types, petite_type_##type, petite_type_s64,                      \
			     sum_##type(p, input, 0))                                              \
	PETITE_DEFINE_REDUCE(prod, types, petite_type_##type, petite_type_s64,                     \
			     product_##type(p, input, 1))

#endif /* PETITE_KERNELS_REDUCE_DEFINE_REDUCE_H */
