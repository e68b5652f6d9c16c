/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of topk.h; only their files include this.
 */
#ifndef PETITE_KERNELS_TOPK_DEFINE_TOPK_H
#define PETITE_KERNELS_TOPK_DEFINE_TOPK_H

#include "../common/types.h"
#include "topk.h"

/**
 * Define petite_topk_<types>_scalar().
 *
 * Each column in turn is sorted into the list of the best so far, behind its equals.
 *
 * @param in Type of an element, a C type.
 * @param greater Expression of the elements a and b: whether a is larger.
 */
#define PETITE_DEFINE_TOPK(types, in, greater)                                                     \
	static int is_greater(in a, in b)                                                          \
	{                                                                                          \
		return greater;                                                                    \
	}                                                                                          \
                                                                                                   \
	static void sort_in(const in *row, int32_t column, int64_t *best,                          \
			    const struct petite_topk *p)                                           \
	{                                                                                          \
		const int32_t kept = column < p->k ? column : p->k;                                \
		int32_t at = kept;                                                                 \
                                                                                                   \
		while (at > 0 && (p->largest != 0 ? is_greater(row[column], row[best[at - 1]])     \
						  : is_greater(row[best[at - 1]], row[column]))) { \
			at--;                                                                      \
		}                                                                                  \
		if (at == p->k) {                                                                  \
			return;                                                                    \
		}                                                                                  \
		for (int32_t n = kept < p->k ? kept : p->k - 1; n > at; n--) {                     \
			best[n] = best[n - 1];                                                     \
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
