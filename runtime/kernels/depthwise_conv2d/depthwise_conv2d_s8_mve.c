/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>

#include "../common/bytes_mve.h"
#include "../common/cells_s8_mve.h"
#include "../common/requantize.h"
#include "depthwise_conv2d_s8_mve.h"

/** Channels that are computed at once. */
#define BLOCK 4

/** What stays as it is from tile to tile, and what does not. */
struct work {
	const struct petite_depthwise_conv2d_s8_mve *p;
	/** Bytes that are what lies outside the image. */
	const int8_t *outside;
	/** The input image, and the first pixel of the output tile; both from the run's first
	 * channel on.
	 */
	const int8_t *image;
	int8_t *output;
	struct petite_cells cells;
	struct petite_multiply_cells multiply;
};

static int32_t up_to_16(int32_t count)
{
	return (count + 15) & ~15;
}

/**
 * Fill columns of cells.
 *
 * @param from The image, from the channel and the column of the first cell on.
 * @param y Row of a cell's first byte. Where a cell has no row of the image, the column does not
 * matter.
 */
static void fill_columns(struct work *w, const int8_t *from, int32_t y, int32_t first, int32_t end)
{
	const struct petite_depthwise_conv2d_s8_mve *p = w->p;
	const int32_t all = up_to_16(w->cells.channels);
	const int32_t row = p->input_w * p->channels;

	if (first == end) {
		return;
	}
	w->cells.cells = p->scratch + first * p->cell;
	w->cells.columns = end - first;
	for (int32_t set = p->cell; set > 0; set -= 4) {
		for (int32_t k = 0; k < 4; k++, y++) {
			bool is_inside = y >= 0 && y < p->input_h;

			w->cells.row[k] = is_inside ? from + y * row : w->outside;
			w->cells.next[k] = is_inside ? p->channels - all : -all;
		}
		petite_cells_s8_mve(&w->cells);
		w->cells.cells += 4;
	}
}

/** Copy what the windows of the pixels from x on cover to cells. */
static void fill_cells(struct work *w, int32_t y, int32_t x)
{
	const struct petite_depthwise_conv2d_s8_mve *p = w->p;
	const int32_t columns = p->columns - (p->tile_w - w->multiply.pixels) * p->stride_w;
	int32_t first;
	int32_t end;

	x = x * p->stride_w - p->pad_left;
	y = y * p->stride_h - p->pad_top;
	first = petite_clamp(-x, 0, columns);
	end = petite_clamp(p->input_w - x, first, columns);
	/* With one tile in a row, columns outside the image stay as they are. */
	if (p->tile_w < p->output_w) {
		fill_columns(w, w->image, -p->input_h - p->cell, 0, first);
		fill_columns(w, w->image, -p->input_h - p->cell, end, columns);
	}
	fill_columns(w, w->image + (x + first) * p->channels, y, first, end);
}

/** Blocks of channels, the first of them `channel` of the run. */
static void multiply_blocks(struct work *w, int32_t channel, int32_t blocks)
{
	struct petite_multiply_cells *multiply = &w->multiply;

	multiply->cells = w->p->scratch + channel * multiply->plane;
	multiply->upper = w->output + channel;
	multiply->lower = multiply->upper;
	if (multiply->rows > 1) {
		multiply->lower += multiply->output_row;
	}
	multiply->blocks = blocks;
	w->p->multiply(multiply);
}

/** All channels of a tile. */
static void convolve_tile(struct work *w, int32_t y, int32_t x)
{
	int32_t channels = w->p->run;

	w->multiply.weights = w->p->weights;
	w->multiply.scales = w->p->scales;
	for (int32_t left = w->p->channels; left > 0; left -= channels) {
		channels = left < channels ? left : channels;
		w->cells.channels = channels;
		fill_cells(w, y, x);
		multiply_blocks(w, 0, channels / BLOCK);
		if (channels % BLOCK != 0) {
			multiply_blocks(w, channels - BLOCK, 1);
		}
		w->image += channels;
		w->output += channels;
	}
	w->image -= w->p->channels;
}

/** Output rows, tile by tile. */
static void convolve_rows(struct work *w, int32_t y)
{
	const int32_t width = w->p->tile_w;
	int32_t x = 0;

	for (int32_t left = w->p->output_w; left > 0; left -= width) {
		w->multiply.pixels = left < width ? left : width;
		convolve_tile(w, y, x);
		w->output += (w->multiply.pixels - 1) * w->p->channels;
		x += width;
	}
}

/** What is the same for all tiles. */
static void prepare(struct work *w, const struct petite_depthwise_conv2d_s8_mve *p)
{
	const int32_t plane = p->cell * p->columns;

	w->p = p;
	w->outside = p->scratch + up_to_16(p->run) * plane;
	w->image = p->input;
	w->output = p->output;
	w->cells.cell = p->cell;
	w->cells.plane = plane;
	w->multiply.plane = plane;
	w->multiply.output_c = p->channels;
	w->multiply.output_offset = p->output_offset;
	w->multiply.has_lower = p->rows - 1;
	w->multiply.window_row = p->stride_h;
	w->multiply.output_row = p->output_w * p->channels;
	w->multiply.window = p->stride_w * p->cell;
	w->multiply.chunks = p->chunks;
	w->multiply.activation_min = p->activation_min;
	w->multiply.activation_max = p->activation_max;
	petite_fill_mve(p->scratch, p->pad_value, up_to_16(p->run) * (plane + 1) + 16);
}

enum petite_status petite_depthwise_conv2d_s8_mve(const void *params)
{
	const struct petite_depthwise_conv2d_s8_mve *p = params;
	struct work w;

	prepare(&w, p);
	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y += p->rows) {
			w.multiply.rows = p->output_h - y < p->rows ? p->output_h - y : p->rows;
			convolve_rows(&w, y);
			w.output += (w.multiply.rows - 1) * w.multiply.output_row;
		}
		w.image += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}

#endif
