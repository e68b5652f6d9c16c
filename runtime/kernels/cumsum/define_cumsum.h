/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines a kernel of cumsum.h; only its files include this.
 */
#ifndef PETITE_KERNELS_CUMSUM_DEFINE_CUMSUM_H
#define PETITE_KERNELS_CUMSUM_DEFINE_CUMSUM_H

#include "cumsum.h"

/**
 * Define petite_cumsum_<name>_scalar().
 *
 * @param type Type of an element, a C type.
 * @param wide The type in which it is added.
 */
#define PETITE_DEFINE_CUMSUM(name, type, wide)                                                     \
	enum petite_status petite_cumsum_##name##_scalar(const void *params)                       \
	{                                                                                          \
		const struct petite_cumsum *p = params;                                            \
		const type *input = p->input;                                                      \
		type *output = p->output;                                                          \
                                                                                                   \
		for (int32_t o = 0; o < p->outer; o++) {                                           \
			for (int32_t k = 0; k < p->length; k++) {                                  \
				for (int32_t i = 0; i < p->inner; i++) {                           \
					*output = *input;                                          \
					if (k > 0) {                                               \
						wide before = (wide)output[-p->inner];             \
                                                                                                   \
						*output = (type)(before + (wide) * input);         \
					}                                                          \
					input++;                                                   \
					output++;                                                  \
				}                                                                  \
			}                                                                          \
		}                                                                                  \
		return PETITE_OK;                                                                  \
	}

#endif /* PETITE_KERNELS_CUMSUM_DEFINE_CUMSUM_H */
