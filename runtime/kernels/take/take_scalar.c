/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../common/strided.h"
#include "take.h"

/** The function for elements of one size. */
#define DEFINE_TAKE(type)                                                                          \
	static void take_##type(const struct petite_take *p)                                       \
	{                                                                                          \
		const int32_t rows = petite_row_count(p->dims);                                    \
		const int32_t columns = p->dims[PETITE_OUTER_RANK];                                \
		const int32_t step = p->strides[PETITE_OUTER_RANK];                                \
		const int32_t offset_step = p->offset_strides[PETITE_OUTER_RANK];                  \
		int32_t index[PETITE_OUTER_RANK] = {0};                                            \
		type *output = p->output;                                                          \
                                                                                                   \
		for (int32_t row = 0; row < rows; row++) {                                         \
			const type *input = p->input;                                              \
			const int32_t *offsets = p->offsets;                                       \
                                                                                                   \
			input += petite_row_offset(index, p->strides);                             \
			offsets += petite_row_offset(index, p->offset_strides);                    \
			if (step == 1 && offset_step == 0) {                                       \
				memcpy(output, input + *offsets, (size_t)columns * sizeof(type));  \
				output += columns;                                                 \
			} else {                                                                   \
				for (int32_t i = 0; i < columns; i++) {                            \
					*output++ = input[i * step + offsets[i * offset_step]];    \
				}                                                                  \
			}                                                                          \
			petite_next_row(index, p->dims);                                           \
		}                                                                                  \
	}

DEFINE_TAKE(uint8_t)
DEFINE_TAKE(uint16_t)
DEFINE_TAKE(uint32_t)
DEFINE_TAKE(uint64_t)

enum petite_status petite_take_scalar(const void *params)
{
	const struct petite_take *p = params;

	switch (p->element_size) {
	case 1:
		take_uint8_t(p);
		break;
	case 2:
		take_uint16_t(p);
		break;
	case 4:
		take_uint32_t(p);
		break;
	default:
		take_uint64_t(p);
		break;
	}
	return PETITE_OK;
}
