/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Copies of bytes with strides, on cores that are quick at long lines of them.
 *
 * The inner two dimensions are a plane. Where its rows are short, its columns are copied instead.
 */
#ifndef PETITE_KERNELS_TRANSPOSE_DEFINE_COPY_PLANES_H
#define PETITE_KERNELS_TRANSPOSE_DEFINE_COPY_PLANES_H

#include <string.h>

#include "../common/strided.h"
#include "transpose.h"

/** Bytes of a row beside which what comes before them takes little. */
#define LONG 32

/** Bytes, and how far apart they are. */
struct line {
	const uint8_t *from;
	uint8_t *to;
	int32_t from_stride;
	int32_t to_stride;
	/** At least 1. */
	int32_t count;
};

/** Copy a line; a file that includes this has it. Inside the loops around it, registers run out. */
__attribute__((noinline)) static void copy_line(const struct line *line);

static inline void copy_plane(const struct petite_transpose *p, const uint8_t *from, uint8_t *to)
{
	const int32_t rows = p->dims[PETITE_OUTER_RANK - 1];
	const int32_t columns = p->dims[PETITE_OUTER_RANK];
	const int32_t row = p->strides[PETITE_OUTER_RANK - 1];
	const int32_t column = p->strides[PETITE_OUTER_RANK];
	const int is_long = columns >= LONG || columns >= rows;
	struct line line = {
		.from = from,
		.to = to,
		.from_stride = is_long ? column : row,
		.to_stride = is_long ? 1 : columns,
		.count = is_long ? columns : rows,
	};

	for (int32_t left = is_long ? rows : columns; left > 0; left--) {
		copy_line(&line);
		line.from += is_long ? row : column;
		line.to += is_long ? columns : 1;
	}
}

/** Plane after plane. */
static inline void copy_planes(const struct petite_transpose *p)
{
	const int32_t plane = p->dims[PETITE_OUTER_RANK - 1] * p->dims[PETITE_OUTER_RANK];
	int32_t outer[PETITE_OUTER_RANK];
	int32_t index[PETITE_OUTER_RANK] = {0};
	uint8_t *to = p->output;

	memcpy(outer, p->dims, sizeof(outer));
	outer[PETITE_OUTER_RANK - 1] = 1;
	for (int32_t left = petite_row_count(outer); left > 0; left--) {
		const uint8_t *from = p->input;

		copy_plane(p, from + petite_row_offset(index, p->strides), to);
		petite_next_row(index, outer);
		to += plane;
	}
}

#endif /* PETITE_KERNELS_TRANSPOSE_DEFINE_COPY_PLANES_H */
