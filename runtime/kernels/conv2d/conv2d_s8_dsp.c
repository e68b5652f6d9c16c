/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <stdbool.h>
#include <string.h>

#include "../common/expand_s8_dsp.h"
#include "../common/limit_s8_dsp.h"
#include "../common/multiply_pairs_s8_dsp.h"
#include "../common/requantize.h"
#include "conv2d_s8_dsp.h"

/** The next output pixel, and where its window starts. */
struct cursor {
	int8_t *output;
	const int8_t *image;
	int32_t y;
	int32_t x;
	/** Pixels left in the row, and rows left in the image, this one included. */
	int32_t columns;
	int32_t rows;
};

/** A window: its first position, and the byte there, which need not lie inside the image. */
struct window {
	const int8_t *row;
	int32_t y;
	int32_t x;
};

/** What does not change from window to window. */
struct rows {
	/** Bytes of a row. */
	int32_t length;
	/** Columns at which a row of a window lies in one piece inside the image. */
	int32_t whole;
	int8_t *outside;
	/** Where a row is put together, for each of the two pixels. */
	int8_t *gathered[2];
};

static void start_image(const struct petite_conv2d_s8_dsp *p, struct cursor *at)
{
	at->y = -p->pad_top;
	at->x = -p->pad_left;
	at->columns = p->output_w;
	at->rows = p->output_h;
}

/** The window at the cursor, which goes on to the next one; returns where its output goes. */
static int8_t *take_window(const struct petite_conv2d_s8_dsp *p, struct cursor *at,
			   struct window *window)
{
	int8_t *const output = at->output;

	window->row = at->image + (at->y * p->input_w + at->x) * p->input_c;
	window->y = at->y;
	window->x = at->x;
	at->output += p->output_pitch;
	at->x += p->stride_w;
	if (--at->columns > 0) {
		return output;
	}
	at->output += p->output_row_gap;
	at->x = -p->pad_left;
	at->y += p->stride_h;
	at->columns = p->output_w;
	if (--at->rows == 0) {
		at->output += p->output_image_gap;
		at->image += p->input_h * p->input_w * p->input_c;
		start_image(p, at);
	}
	return output;
}

/** Put a row of a window together, column by column. */
static void gather_columns(const struct petite_conv2d_s8_dsp *p, const int8_t *row, int32_t x,
			   int8_t *to)
{
	const int32_t depth = p->input_c / p->groups;

	for (int32_t kx = 0; kx < p->kernel_w; kx++, x += p->dilation_w) {
		if (x >= 0 && x < p->input_w) {
			memcpy(to, row, (size_t)depth);
		} else {
			memset(to, p->pad_value, (size_t)depth);
		}
		row += p->dilation_w * p->input_c;
		to += depth;
	}
}

/** The same where columns are neighbours: what lies before the image, inside, and behind it. */
static void gather_run(const struct petite_conv2d_s8_dsp *p, const int8_t *row, int32_t x,
		       int8_t *to)
{
	const int32_t before = petite_clamp(-x, 0, p->kernel_w);
	const int32_t end = petite_clamp(p->input_w - x, before, p->kernel_w);
	const int32_t depth = p->input_c;

	memset(to, p->pad_value, (size_t)(p->kernel_w * depth));
	memcpy(to + before * depth, row + before * depth, (size_t)((end - before) * depth));
}

/** A row of a window that is not simply a run of the image. */
static const int8_t *find_row(const struct petite_conv2d_s8_dsp *p, const struct rows *rows,
			      const struct window *at, int8_t *gathered)
{
	if (at->y < 0 || at->y >= p->input_h) {
		return rows->outside;
	}
	if (p->groups == 1 && p->dilation_w == 1) {
		gather_run(p, at->row, at->x, gathered);
	} else {
		gather_columns(p, at->row, at->x, gathered);
	}
	return gathered;
}

/** Widen the windows of two pixels. */
static void expand_windows(const struct petite_conv2d_s8_dsp *p, const struct rows *rows,
			   const struct window windows[2], struct petite_pairs_dsp *pairs)
{
	struct petite_expand_dsp expand = {.to = (int32_t *)(void *)p->scratch};
	const int32_t step = p->dilation_h * p->input_w * p->input_c;
	struct window at[2] = {windows[0], windows[1]};

	for (int32_t ky = p->kernel_h; ky > 0; ky--) {
		for (int32_t k = 0; k < 2; k++) {
			/* What is below zero is very large as an unsigned number. */
			if ((uint32_t)at[k].y < (uint32_t)p->input_h &&
			    (uint32_t)at[k].x < (uint32_t)rows->whole) {
				expand.from[k] = at[k].row;
			} else {
				expand.from[k] = find_row(p, rows, &at[k], rows->gathered[k]);
			}
			at[k].row += step;
			at[k].y += p->dilation_h;
		}
		petite_expand_dsp(&expand, rows->length);
	}
	for (int32_t k = 0; k < 2; k++) {
		pairs->start[k] = 0U - 128U * (uint32_t)expand.sum[k];
	}
}

/** Channels of two pixels. */
static void write_channels(struct petite_pairs_dsp *pairs, int32_t channels)
{
	int8_t *const behind[2] = {pairs->output[0] + channels, pairs->output[1] + channels};
	const int32_t left = channels & 3;
	int8_t last[2][4];

	pairs->blocks = channels >> 2;
	if (pairs->blocks > 0) {
		petite_multiply_pairs_s8_dsp(pairs);
	}
	if (left > 0) {
		pairs->blocks = 1;
		for (int32_t k = 0; k < 2; k++) {
			pairs->output[k] = last[k];
		}
		petite_multiply_pairs_s8_dsp(pairs);
		for (int32_t k = 0; k < 2; k++) {
			memcpy(behind[k] - left, last[k], (size_t)left);
			pairs->output[k] = behind[k];
		}
	}
}

/** Two pixels, group by group. */
static void write_pixels(const struct petite_conv2d_s8_dsp *p, const struct rows *rows,
			 struct window windows[2], struct petite_pairs_dsp *pairs)
{
	pairs->packed = p->packed;
	for (int32_t left = p->groups; left > 0; left--) {
		expand_windows(p, rows, windows, pairs);
		write_channels(pairs, p->output_c / p->groups);
		for (int32_t k = 0; k < 2; k++) {
			windows[k].row += p->input_c / p->groups;
		}
	}
	for (int32_t k = 0; k < 2; k++) {
		petite_limit_s8_dsp(pairs->output[k] - p->output_c, p->output_c, p->activation_min,
				    p->activation_max);
	}
}

static void find_rows(const struct petite_conv2d_s8_dsp *p, struct rows *rows)
{
	const bool is_run = p->groups == 1 && p->dilation_w == 1;

	rows->length = p->kernel_w * (p->input_c / p->groups);
	rows->whole = is_run && p->kernel_w <= p->input_w ? p->input_w - p->kernel_w + 1 : 0;
	rows->outside = p->scratch + 8 * p->pairs;
	rows->gathered[0] = rows->outside + rows->length;
	rows->gathered[1] = rows->gathered[0] + rows->length;
	memset(rows->outside, p->pad_value, (size_t)rows->length);
}

enum petite_status petite_conv2d_s8_dsp(const void *params)
{
	const struct petite_conv2d_s8_dsp *p = params;
	struct cursor at = {.output = p->output, .image = p->input};
	struct petite_pairs_dsp pairs;
	struct rows rows;

	find_rows(p, &rows);
	petite_pairs_dsp_begin(&pairs, (const int32_t *)(const void *)p->scratch, p->pairs);
	start_image(p, &at);
	for (int32_t left = p->batches * p->output_h * p->output_w; left > 0; left -= 2) {
		struct window windows[2];

		pairs.output[0] = pairs.output[1] = take_window(p, &at, &windows[0]);
		/* The last of an odd number of pixels is computed twice. */
		windows[1] = windows[0];
		if (left > 1) {
			pairs.output[1] = take_window(p, &at, &windows[1]);
		}
		write_pixels(p, &rows, windows, &pairs);
	}
	return PETITE_OK;
}

#endif
