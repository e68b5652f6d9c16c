/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What minimum and maximum of int8 have in common on cores that compare several at once.
 */
#ifndef PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_H
#define PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_H

#include "../common/strided.h"
#include "binary.h"

/**
 * Define petite_binary_<function>_s8_<instruction_set>(), for rows that are dense or of one value.
 *
 * A file has compare_runs() and compare_with(), of two runs, and of one value and a run.
 */
#define PETITE_DEFINE_EXTREME_S8(function, instruction_set)                                        \
	enum petite_status petite_binary_##function##_s8_##instruction_set(const void *params)     \
	{                                                                                          \
		const struct petite_binary *p = params;                                            \
		const int32_t rows = petite_row_count(p->dims);                                    \
		const int32_t length = p->dims[PETITE_OUTER_RANK];                                 \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		int8_t *output = p->output;                                                        \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const int8_t *a = p->input1;                                               \
			const int8_t *b = p->input2;                                               \
                                                                                                   \
			a += petite_row_offset(index, p->stride1);                                 \
			b += petite_row_offset(index, p->stride2);                                 \
			if (p->stride1[PETITE_OUTER_RANK] == 0) {                                  \
				compare_with(*a, b, output, length);                               \
			} else if (p->stride2[PETITE_OUTER_RANK] == 0) {                           \
				compare_with(*b, a, output, length);                               \
			} else {                                                                   \
				compare_runs(a, b, output, length);                                \
			}                                                                          \
			output += length;                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_H */
