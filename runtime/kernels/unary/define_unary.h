/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines the kernels of unary.h; only their files include this.
 */
#ifndef PETITE_KERNELS_UNARY_DEFINE_UNARY_H
#define PETITE_KERNELS_UNARY_DEFINE_UNARY_H

#include "../common/types.h"
#include "unary.h"

/**
 * Define petite_unary_<function>_<types>_scalar().
 *
 * @param in Type of an input element, a C type.
 * @param out Type of an output element, a C type.
 * @param result Expression of the element x.
 */
#define PETITE_DEFINE_UNARY(function, types, in, out, result)                                      \
	enum petite_status petite_unary_##function##_##types##_scalar(const void *params)          \
	{                                                                                          \
		const struct petite_unary *p = params;                                             \
		const in *input = p->input;                                                        \
		out *output = p->output;                                                           \
                                                                                                   \
		for (int32_t i = 0; i < p->count; i++) {                                           \
			const in x = input[i];                                                     \
                                                                                                   \
			output[i] = (out)(result);                                                 \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

/** The four functions of one integer type, by its suffix. */
#define PETITE_DEFINE_UNARY_INTEGER(type)                                                          \
	PETITE_DEFINE_UNARY(abs, type, petite_type_##type, petite_type_##type,                     \
			    petite_is_negative(x) ? 0u - (petite_wide_##type)x                     \
						  : (petite_wide_##type)x)                         \
	PETITE_DEFINE_UNARY(neg, type, petite_type_##type, petite_type_##type,                     \
			    0u - (petite_wide_##type)x)                                            \
	PETITE_DEFINE_UNARY(sign, type, petite_type_##type, petite_type_##type,                    \
			    (x != 0) - 2 * petite_is_negative(x))                                  \
	PETITE_DEFINE_UNARY(not, type, petite_type_##type, petite_type_##type,                     \
			    ~(petite_wide_##type)x)

/** Conversion of an integer (or a bool) to an integer or to float32. */
#define PETITE_DEFINE_CAST(from, to)                                                               \
	PETITE_DEFINE_UNARY(cast, from##_##to, petite_type_##from, petite_type_##to, x)

/** Conversion to bool. */
#define PETITE_DEFINE_CAST_TO_BOOL(from)                                                           \
	PETITE_DEFINE_UNARY(cast, from##_bool, petite_type_##from, petite_type_bool, x != 0)

#endif /* PETITE_KERNELS_UNARY_DEFINE_UNARY_H */
