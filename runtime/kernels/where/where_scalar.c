/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/strided.h"
#include "where.h"

/** The function for elements of one size. */
#define DEFINE_WHERE(type)                                                                         \
	static void where_##type(const struct petite_where *p)                                     \
	{                                                                                          \
		const int32_t rows = petite_row_count(p->dims);                                    \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		type *output = p->output;                                                          \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const uint8_t *condition = p->condition;                                   \
			const type *input1 = p->input1;                                            \
			const type *input2 = p->input2;                                            \
                                                                                                   \
			condition += petite_row_offset(index, p->stride0);                         \
			input1 += petite_row_offset(index, p->stride1);                            \
			input2 += petite_row_offset(index, p->stride2);                            \
			for (int32_t i = 0; i < p->dims[PETITE_OUTER_RANK]; i++) {                 \
				*output++ = *condition != 0 ? *input1 : *input2;                   \
				condition += p->stride0[PETITE_OUTER_RANK];                        \
				input1 += p->stride1[PETITE_OUTER_RANK];                           \
				input2 += p->stride2[PETITE_OUTER_RANK];                           \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
	}

DEFINE_WHERE(uint8_t)
DEFINE_WHERE(uint16_t)
DEFINE_WHERE(uint32_t)
DEFINE_WHERE(uint64_t)

enum petite_status petite_where_scalar(const void *params)
{
	const struct petite_where *p = params;

	switch (p->element_size) {
	case 1:
		where_uint8_t(p);
		break;
	case 2:
		where_uint16_t(p);
		break;
	case 4:
		where_uint32_t(p);
		break;
	default:
		where_uint64_t(p);
		break;
	}
	return PETITE_OK;
}
