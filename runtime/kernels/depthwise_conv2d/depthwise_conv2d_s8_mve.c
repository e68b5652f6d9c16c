/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>

#include "../common/bytes_mve.h"
#include "../common/cells_s8_mve.h"
#include "../common/multiply_cells_s8_mve.h"
#include "../common/requantize_mve.h"
#include "depthwise_conv2d_s8_mve.h"

/** Channels that are computed at once. */
#define BLOCK 4

static int32_t up_to_16(int32_t count)
{
	return (count + 15) & ~15;
}

/** Copy the rows from y on, of channels of an image, to cells. */
static void fill_cells(const struct petite_depthwise_conv2d_s8_mve *p, const int8_t *image,
		       int32_t y, int32_t channels)
{
	const int32_t all = up_to_16(channels);
	const int8_t *outside = p->scratch + up_to_16(p->run) * p->plane;
	struct petite_cells cells;

	/* Not an initialiser: that would clear it first, with a call. */
	cells.cells = p->scratch + p->pad_left * p->cell;
	cells.cell = p->cell;
	cells.plane = p->plane;
	cells.channels = channels;
	cells.columns = p->columns;
	for (int32_t set = 0; set < p->cell; set += 4) {
		for (int32_t k = 0; k < 4; k++, y++) {
			bool inside = y >= 0 && y < p->input_h;

			cells.row[k] = inside ? image + y * p->input_w * p->channels : outside;
			cells.next[k] = inside ? p->channels - all : -all;
		}
		petite_cells_s8_mve(&cells);
		cells.cells += 4;
	}
}

/** Sums over the windows of four channels. */
static int32x4_t multiply(const int8_t *window, int32_t plane, const int8_t *weights,
			  int32_t chunks)
{
	const int8_t *second = window + plane;
	const int8_t *third = second + plane;
	const int8_t *fourth = third + plane;
	int32_t a = 0;
	int32_t b = 0;
	int32_t c = 0;
	int32_t d = 0;
	int32x4_t sums;

	__asm__ volatile("	dls lr, %[chunks]\n"
			 "1:	vldrb.u8 q0, [%[w0]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[a], q0, q1\n"
			 "	vldrb.u8 q0, [%[w1]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[b], q0, q1\n"
			 "	vldrb.u8 q0, [%[w2]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[c], q0, q1\n"
			 "	vldrb.u8 q0, [%[w3]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[d], q0, q1\n"
			 "	le lr, 1b\n"
			 "	vmov %q[sums][2], %q[sums][0], %[a], %[c]\n"
			 "	vmov %q[sums][3], %q[sums][1], %[b], %[d]\n"
			 : [w0] "+r"(window), [w1] "+r"(second), [w2] "+r"(third),
			   [w3] "+r"(fourth), [weights] "+r"(weights), [a] "+Te"(a), [b] "+Te"(b),
			   [c] "+Te"(c), [d] "+Te"(d), [sums] "=w"(sums)
			 : [chunks] "r"(chunks)
			 : "lr", "q0", "q1", "memory");
	return sums;
}

/** Four channels of a row of pixels. */
static void multiply_row(const struct petite_depthwise_conv2d_s8_mve *p, const int8_t *window,
			 const int8_t *weights, const int32_t *scales, int8_t *output)
{
	const int32x4_t bias = vldrwq_s32(scales);
	const int32x4_t multiplier = vldrwq_s32(scales + BLOCK);
	const int32x4_t shift = vldrbq_s32((const int8_t *)(scales + 2 * BLOCK));

	for (int32_t x = 0; x < p->output_w; x++) {
		int32x4_t sums = multiply(window, p->plane, weights, p->chunks);

		sums = petite_requantize_mve(vaddq_s32(sums, bias), multiplier, shift);
		sums = vaddq_n_s32(sums, p->output_offset);
		sums = vmaxq_s32(sums, vdupq_n_s32(p->activation_min));
		sums = vminq_s32(sums, vdupq_n_s32(p->activation_max));
		vstrbq_s32(output, sums);
		window += p->stride_w * p->cell;
		output += p->channels;
	}
}

/** What multiply_cells_s8_mve does, for all windows, and for up to p->rows rows. */
static void multiply_rows(const struct petite_depthwise_conv2d_s8_mve *p,
			  struct petite_multiply_cells *cells, int32_t rows)
{
	for (; cells->blocks > 0; cells->blocks--) {
		for (int32_t row = 0; row < rows; row++) {
			multiply_row(p, cells->cells + row * p->stride_h, cells->weights,
				     cells->scales, cells->upper + row * p->output_w * p->channels);
		}
		cells->cells += BLOCK * p->plane;
		cells->weights += p->chunks * BLOCK * 16;
		cells->scales += 2 * BLOCK + 1;
		cells->upper += BLOCK;
	}
}

static void multiply_blocks(const struct petite_depthwise_conv2d_s8_mve *p,
			    struct petite_multiply_cells *cells, int8_t *output, int32_t rows)
{
	cells->upper = output;
	if (p->chunks != 0) {
		multiply_rows(p, cells, rows);
		return;
	}
	cells->lower = rows > 1 ? output + p->output_w * p->channels : output;
	petite_multiply_cells_s8_mve(cells);
}

/** Output rows from y on, up to p->rows. */
static void convolve_rows(const struct petite_depthwise_conv2d_s8_mve *p, const int8_t *image,
			  int32_t y, int32_t rows, int8_t *output)
{
	struct petite_multiply_cells cells;
	int32_t channels = p->run;

	cells.weights = p->weights;
	cells.scales = p->scales;
	cells.plane = p->plane;
	cells.output_c = p->channels;
	cells.pixels = p->output_w;
	cells.output_offset = p->output_offset;
	cells.has_lower = p->rows - 1;
	for (int32_t left = p->channels; left > 0; left -= channels) {
		channels = left < channels ? left : channels;
		if (p->columns > 0) {
			fill_cells(p, image, y * p->stride_h - p->pad_top, channels);
		}
		cells.cells = p->scratch;
		cells.blocks = channels / BLOCK;
		multiply_blocks(p, &cells, output, rows);
		image += channels;
		output += channels;
		if (channels % BLOCK != 0) {
			cells.cells = p->scratch + (channels - BLOCK) * p->plane;
			cells.blocks = 1;
			multiply_blocks(p, &cells, output - BLOCK, rows);
		}
	}
}

enum petite_status petite_depthwise_conv2d_s8_mve(const void *params)
{
	const struct petite_depthwise_conv2d_s8_mve *p = params;
	const int8_t *image = p->input;
	int8_t *output = p->output;

	/* Columns left and right of the image stay so. */
	petite_fill_mve(p->scratch, p->pad_value, up_to_16(p->run) * (p->plane + 1) + p->cell + 16);
	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y += p->rows) {
			int32_t rows = p->output_h - y < p->rows ? p->output_h - y : p->rows;

			convolve_rows(p, image, y, rows, output);
			output += rows * p->output_w * p->channels;
		}
		image += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}

#endif
