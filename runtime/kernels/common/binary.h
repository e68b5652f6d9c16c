/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The loop that all elementwise kernels of two broadcast inputs share.
 */
#ifndef PETITE_KERNELS_COMMON_BINARY_H
#define PETITE_KERNELS_COMMON_BINARY_H

#include <petite/status.h>

#include "strided.h"

/**
 * Define petite_<name>_scalar(): output = result for each pair of elements, in ascending order.
 *
 * @param name Kernel; its structure has input1, input2, output, dims, stride1 and stride2.
 * @param type Element type.
 * @param result Expression of the elements a and b, and of the parameters p.
 */
#define PETITE_BINARY_KERNEL(name, type, result)                                                   \
	enum petite_status petite_##name##_scalar(const void *params)                              \
	{                                                                                          \
		const struct petite_##name *p = params;                                            \
		const int32_t rows = petite_row_count(p->dims);                                    \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		type *output = p->output;                                                          \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const type *input1 = p->input1 + petite_row_offset(index, p->stride1);     \
			const type *input2 = p->input2 + petite_row_offset(index, p->stride2);     \
                                                                                                   \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				const type a = input1[i * p->stride1[PETITE_OUTER_RANK]];          \
				const type b = input2[i * p->stride2[PETITE_OUTER_RANK]];          \
                                                                                                   \
				*output++ = (result);                                              \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_COMMON_BINARY_H */
