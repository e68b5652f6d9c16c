/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of binary.h; only their files include this.
 */
#ifndef PETITE_KERNELS_BINARY_DEFINE_BINARY_H
#define PETITE_KERNELS_BINARY_DEFINE_BINARY_H

#include "../common/strided.h"
#include "../common/types.h"
#include "binary.h"

/**
 * Define petite_binary_<function>_<types>_scalar().
 *
 * @param in Type of the inputs' elements, a C type.
 * @param out Type of an output element, a C type.
 * @param valid Expression of the elements a and b: whether there is a result.
 * @param result Expression of the elements a and b.
 */
#define PETITE_DEFINE_BINARY_IF(function, types, in, out, valid, result)                           \
	enum petite_status petite_binary_##function##_##types##_scalar(const void *params)         \
	{                                                                                          \
		const struct petite_binary *p = params;                                            \
		const int32_t rows = petite_row_count(p->dims);                                    \
		const int32_t step1 = p->stride1[PETITE_OUTER_RANK];                               \
		const int32_t step2 = p->stride2[PETITE_OUTER_RANK];                               \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		out *output = p->output;                                                           \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const in *input1 = p->input1;                                              \
			const in *input2 = p->input2;                                              \
                                                                                                   \
			input1 += petite_row_offset(index, p->stride1);                            \
			input2 += petite_row_offset(index, p->stride2);                            \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				const in a = input1[i * step1];                                    \
				const in b = input2[i * step2];                                    \
                                                                                                   \
				if (!(valid)) {                                                    \
					return PETITE_ERR_DATA;                                    \
				}                                                                  \
				*output++ = (out)(result);                                         \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

/** The same where there is always a result. */
#define PETITE_DEFINE_BINARY(function, types, in, out, result)                                     \
	PETITE_DEFINE_BINARY_IF(function, types, in, out, 1, result)

/** The six comparisons. */
#define PETITE_DEFINE_COMPARISONS(types, in)                                                       \
	PETITE_DEFINE_BINARY(eq, types, in, petite_type_bool, a == b)                              \
	PETITE_DEFINE_BINARY(ne, types, in, petite_type_bool, a != b)                              \
	PETITE_DEFINE_BINARY(lt, types, in, petite_type_bool, a < b)                               \
	PETITE_DEFINE_BINARY(le, types, in, petite_type_bool, a <= b)                              \
	PETITE_DEFINE_BINARY(gt, types, in, petite_type_bool, a > b)                               \
	PETITE_DEFINE_BINARY(ge, types, in, petite_type_bool, a >= b)

/** The functions of bits. */
#define PETITE_DEFINE_BITS(type)                                                                   \
	PETITE_DEFINE_BINARY(and, type, petite_type_##type, petite_type_##type, a &b)              \
	PETITE_DEFINE_BINARY(or, type, petite_type_##type, petite_type_##type, a | b)              \
	PETITE_DEFINE_BINARY(xor, type, petite_type_##type, petite_type_##type, a ^ b)

#endif /* PETITE_KERNELS_BINARY_DEFINE_BINARY_H */
