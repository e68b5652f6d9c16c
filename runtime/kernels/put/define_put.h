/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of put.h; only their files include this.
 */
#ifndef PETITE_KERNELS_PUT_DEFINE_PUT_H
#define PETITE_KERNELS_PUT_DEFINE_PUT_H

#include <string.h>

#include "../common/strided.h"
#include "../common/types.h"
#include "put.h"

/**
 * Define a function of a struct petite_put.
 *
 * @param type Type of an element, a C type.
 * @param result Expression of the element that is there, a, and of the source's, b.
 */
#define PETITE_DEFINE_PUT(name, type, result)                                                      \
	static void name(const struct petite_put *p)                                               \
	{                                                                                          \
		const int32_t rows = petite_row_count(p->dims);                                    \
		const int32_t step = p->strides[PETITE_OUTER_RANK];                                \
		const int32_t source_step = p->source_strides[PETITE_OUTER_RANK];                  \
		const int32_t offset_step = p->offset_strides[PETITE_OUTER_RANK];                  \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
                                                                                                   \
		memcpy(p->output, p->input, (size_t)p->count * sizeof(type));                      \
		for (int32_t row = 0; row < rows; row++) {                                         \
			type *output = p->output;                                                  \
			const type *source = p->source;                                            \
			const int32_t *offsets = p->offsets;                                       \
                                                                                                   \
			output += petite_row_offset(index, p->strides);                            \
			source += petite_row_offset(index, p->source_strides);                     \
			offsets += petite_row_offset(index, p->offset_strides);                    \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				type *at = output + i * step + offsets[i * offset_step];           \
				const type a = *at;                                                \
				const type b = source[i * source_step];                            \
                                                                                                   \
				(void)a;                                                           \
				*at = (type)(result);                                              \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
	}

/** Define petite_put_add_<type>_scalar(). */
#define PETITE_DEFINE_PUT_ADD(type, result)                                                        \
	PETITE_DEFINE_PUT(put_add, petite_type_##type, result)                                     \
                                                                                                   \
	enum petite_status petite_put_add_##type##_scalar(const void *params)                      \
	{                                                                                          \
		put_add(params);                                                                   \
		return PETITE_OK;                                                                  \
	}

/** The same for integers, which wrap. */
#define PETITE_DEFINE_PUT_ADD_INTEGER(type)                                                        \
	PETITE_DEFINE_PUT_ADD(type, (petite_wide_##type)a + (petite_wide_##type)b)

#endif /* PETITE_KERNELS_PUT_DEFINE_PUT_H */
