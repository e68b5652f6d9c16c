/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of a channels-last image, rearranged so that each channel's windows are runs of
 * bytes.
 *
 * Four rows of a channel become a plane of cells, one a column: the column's four bytes, top row
 * first. Three cells in a row are then a window of 3x3 and a row more, which one load and one
 * multiplication cover. Larger windows have cells of 8 bytes and more, filled four rows at a time.
 */
#ifndef PETITE_KERNELS_COMMON_CELLS_S8_MVE_H
#define PETITE_KERNELS_COMMON_CELLS_S8_MVE_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. */
struct petite_cells {
	/** Where each of the four rows starts. */
	const int8_t *row[4];
	/** From behind the channels of a column, rounded up to 16, to the next column. */
	int32_t next[4];
	/** The first column's cell in the first channel's plane. */
	int8_t *cells;
	/** Bytes from cell to cell, and from plane to plane: multiples of 4. */
	int32_t cell;
	int32_t plane;
	int32_t channels;
	/** At least 1. */
	int32_t columns;
};

/**
 * Fill cells.
 *
 * Planes are written 16 at a time: beyond the last channel's they get zeros.
 */
void petite_cells_s8_mve(const struct petite_cells *cells);

#endif /* PETITE_KERNELS_COMMON_CELLS_S8_MVE_H */
