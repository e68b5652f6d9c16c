/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of topk.h; only their files include this.
 */
#ifndef PETITE_KERNELS_TOPK_DEFINE_TOPK_H
#define PETITE_KERNELS_TOPK_DEFINE_TOPK_H

#include "../common/types.h"
#include "topk.h"

/** Whether an integer is larger than another. */
#define PETITE_GREATER(a, b) ((a) > (b))

/**
 * Define petite_topk_<types>_scalar().
 *
 * Each column in turn is sorted into the list of the best so far, behind its equals.
 *
 * @param in Type of an element, a C type.
 * @param greater Macro of two elements: whether the first is larger.
 */
#define PETITE_DEFINE_TOPK(types, in, greater)                                                     \
	static int is_before(in a, in b, int32_t largest)                                          \
	{                                                                                          \
		return largest != 0 ? (greater(a, b)) : (greater(b, a));                           \
	}                                                                                          \
                                                                                                   \
	static void sort_in(const in *row, int32_t column, int64_t *best,                          \
			    const struct petite_topk *p)                                           \
	{                                                                                          \
		int32_t at = column < p->k ? column : p->k - 1;                                    \
                                                                                                   \
		if (at < column && !is_before(row[column], row[best[at]], p->largest)) {           \
			return;                                                                    \
		}                                                                                  \
		while (at > 0 && is_before(row[column], row[best[at - 1]], p->largest)) {          \
			best[at] = best[at - 1];                                                   \
			at--;                                                                      \
		}                                                                                  \
		best[at] = column;                                                                 \
	}                                                                                          \
                                                                                                   \
	enum petite_status petite_topk_##types##_scalar(const void *params)                        \
	{                                                                                          \
		const struct petite_topk *p = params;                                              \
		const in *input = p->input;                                                        \
		int64_t *output = p->output;                                                       \
                                                                                                   \
		for (int32_t row = 0; row < p->rows; row++) {                                      \
			for (int32_t column = 0; column < p->columns; column++) {                  \
				sort_in(input, column, output, p);                                 \
			}                                                                          \
			input += p->columns;                                                       \
			output += p->k;                                                            \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_TOPK_DEFINE_TOPK_H */
