/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines a kernel of matmul.h; only its files include this.
 */
#ifndef PETITE_KERNELS_MATMUL_DEFINE_MATMUL_H
#define PETITE_KERNELS_MATMUL_DEFINE_MATMUL_H

#include "../common/types.h"
#include "matmul.h"

/**
 * Define petite_matmul_<name>_scalar().
 *
 * @param type Type of an element, a C type.
 * @param wide The type in which it is multiplied and added.
 */
#define PETITE_DEFINE_MATMUL(name, type, wide)                                                     \
	static type product(const struct petite_matmul *p, const type *row, const type *weights)   \
	{                                                                                          \
		wide sum = 0;                                                                      \
                                                                                                   \
		for (int32_t k = 0; k < p->inner; k++) {                                           \
			sum += (wide)row[k] * (wide) * weights;                                    \
			weights += p->inner_stride;                                                \
		}                                                                                  \
		return (type)sum;                                                                  \
	}                                                                                          \
                                                                                                   \
	enum petite_status petite_matmul_##name##_scalar(const void *params)                       \
	{                                                                                          \
		const struct petite_matmul *p = params;                                            \
		const type *row = p->input;                                                        \
		const type *weights = p->weights;                                                  \
		type *output = p->output;                                                          \
                                                                                                   \
		for (int32_t b = 0; b < p->batches; b++) {                                         \
			for (int32_t r = 0; r < p->rows; r++) {                                    \
				for (int32_t c = 0; c < p->columns; c++) {                         \
					*output++ =                                                \
						product(p, row, weights + c * p->column_stride);   \
				}                                                                  \
				row += p->inner;                                                   \
			}                                                                          \
			weights += p->weights_batch_stride;                                        \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_MATMUL_DEFINE_MATMUL_H */
