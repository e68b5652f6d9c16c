/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of offsets.h; only their files include this.
 */
#ifndef PETITE_KERNELS_OFFSETS_DEFINE_OFFSETS_H
#define PETITE_KERNELS_OFFSETS_DEFINE_OFFSETS_H

#include "../common/strided.h"
#include "offsets.h"

/**
 * Define petite_offsets_<types>_scalar().
 *
 * @param in Type of an index, a C type.
 */
#define PETITE_DEFINE_OFFSETS(types, in)                                                           \
	enum petite_status petite_offsets_##types##_scalar(const void *params)                     \
	{                                                                                          \
		const struct petite_offsets *p = params;                                           \
		const int32_t rows = petite_row_count(p->dims);                                    \
		const int32_t index_step = p->index_strides[PETITE_OUTER_RANK];                    \
		const int32_t base_step = p->base_strides[PETITE_OUTER_RANK];                      \
		int32_t row_index[PETITE_OUTER_RANK] = {0};                                        \
		int32_t *output = p->output;                                                       \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const int32_t first = petite_row_offset(row_index, p->index_strides);      \
			const int32_t base = petite_row_offset(row_index, p->base_strides);        \
			const in *index = (const in *)p->index + first;                            \
                                                                                                   \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				int64_t at = index[i * index_step];                                \
				int32_t offset = 0;                                                \
                                                                                                   \
				if (at < 0 && p->from_end != 0) {                                  \
					at += p->size;                                             \
				}                                                                  \
				if (at < 0 || at >= p->size) {                                     \
					return PETITE_ERR_DATA;                                    \
				}                                                                  \
				if (p->base != NULL) {                                             \
					offset = p->base[base + i * base_step];                    \
				}                                                                  \
				*output++ = offset + (int32_t)at * p->scale;                       \
			}                                                                          \
			petite_next_row(row_index, p->dims);                                       \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_OFFSETS_DEFINE_OFFSETS_H */
