/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>
#include <stddef.h>

#include "../common/bytes_mve.h"
#include "../common/multiply_pairs_s8_mve.h"
#include "../common/requantize.h"
#include "conv2d_s8_mve.h"

/** An output pixel, by the first position of its window. */
struct cursor {
	const int8_t *image;
	int32_t y;
	int32_t x;
	/** Pixels left in the row, and rows left in the image, this one included. */
	int32_t columns;
	int32_t rows;
};

static void start_image(const struct petite_conv2d_s8_mve *p, struct cursor *at)
{
	at->y = -p->pad_top;
	at->x = -p->pad_left;
	at->columns = p->output_w;
	at->rows = p->output_h;
}

/** Go on by so many pixels of the row, at most to its end. */
static void advance(const struct petite_conv2d_s8_mve *p, struct cursor *at, int32_t pixels)
{
	at->x += pixels * p->stride_w;
	at->columns -= pixels;
	if (at->columns > 0) {
		return;
	}
	at->x = -p->pad_left;
	at->y += p->stride_h;
	at->columns = p->output_w;
	if (--at->rows == 0) {
		at->image += p->input_h * p->input_w * p->input_c;
		start_image(p, at);
	}
}

/** Whether all rows of the window lie inside the image. */
static bool has_all_rows(const struct petite_conv2d_s8_mve *p, const struct cursor *at)
{
	return at->y >= 0 && at->y + (p->kernel_h - 1) * p->dilation_h < p->input_h;
}

/** Whether a row of a window from x on, in whole chunks, ends before the image's row does. */
static bool ends_in_place(const struct petite_conv2d_s8_mve *p, int32_t x)
{
	return x * p->input_c + p->row_chunks * 16 <= p->input_w * p->input_c;
}

/** Pairs from here to the end of the row whose windows can be read in place. */
static int32_t pairs_in_place(const struct petite_conv2d_s8_mve *p, const struct cursor *at)
{
	int32_t last = at->x + (at->columns - 1) * p->stride_w;
	int32_t pixels = at->columns;

	if (p->row_chunks == 0 || at->x < 0 || !has_all_rows(p, at)) {
		return 0;
	}
	while (pixels > 0 && !ends_in_place(p, last)) {
		last -= p->stride_w;
		pixels--;
	}
	return pixels / 2;
}

/** A row of a window, column by column. */
static int8_t *gather_columns(const struct petite_conv2d_s8_mve *p, const int8_t *row, int32_t x,
			      int8_t *to)
{
	for (int32_t kx = 0; kx < p->kernel_w; kx++, x += p->dilation_w) {
		if (x >= 0 && x < p->input_w) {
			to = petite_copy_mve(to, row + x * p->input_c, p->input_c);
		} else {
			to = petite_fill_mve(to, p->pad_value, p->input_c);
		}
	}
	return to;
}

/** A row of a window without dilation: what lies before the image, inside, and behind it. */
static int8_t *gather_run(const struct petite_conv2d_s8_mve *p, const int8_t *row, int32_t x,
			  int8_t *to)
{
	const int32_t before = petite_clamp(-x, 0, p->kernel_w);
	const int32_t behind = petite_clamp(x + p->kernel_w - p->input_w, 0, p->kernel_w);
	const int32_t inside = p->kernel_w - before - behind;

	to = petite_fill_mve(to, p->pad_value, before * p->input_c);
	if (inside > 0) {
		to = petite_copy_mve(to, row + (x + before) * p->input_c, inside * p->input_c);
	}
	return petite_fill_mve(to, p->pad_value, behind * p->input_c);
}

/** A window inside the image. */
static void copy_rows(const struct petite_conv2d_s8_mve *p, const int8_t *from, int8_t *to)
{
	const int32_t length = p->kernel_w * p->input_c;
	const int32_t step = p->dilation_h * p->input_w * p->input_c;

	for (int32_t left = p->kernel_h; left > 0; left--) {
		to = petite_copy_mve(to, from, length);
		from += step;
	}
}

/** Copy a window to where its bytes follow one another. */
static const int8_t *gather(const struct petite_conv2d_s8_mve *p, const struct cursor *at,
			    int8_t *window)
{
	const int32_t pitch = p->input_w * p->input_c;
	const bool is_run = p->dilation_w == 1;
	const bool is_inside = is_run && at->x >= 0 && at->x + p->kernel_w <= p->input_w;
	int8_t *to = window;
	int32_t y = at->y;

	if (is_inside && has_all_rows(p, at)) {
		copy_rows(p, at->image + y * pitch + at->x * p->input_c, to);
		return window;
	}
	for (int32_t ky = 0; ky < p->kernel_h; ky++, y += p->dilation_h) {
		const int8_t *row = at->image + y * pitch;

		if (y < 0 || y >= p->input_h) {
			to = petite_fill_mve(to, p->pad_value, p->kernel_w * p->input_c);
		} else if (is_run) {
			to = gather_run(p, row, at->x, to);
		} else {
			to = gather_columns(p, row, at->x, to);
		}
	}
	return window;
}

/** Pairs of pixels in a row, whose windows are read in place. */
static void find_windows(const struct petite_conv2d_s8_mve *p, struct petite_pairs *pairs,
			 const struct cursor *at)
{
	const int8_t *first = at->image + (at->y * p->input_w + at->x) * p->input_c;

	pairs->input[0] = first;
	pairs->input[1] = first + p->stride_w * p->input_c;
	pairs->chunks = p->row_chunks;
	pairs->rows = p->kernel_h;
}

/** One pair, whose windows are gathered. The last of an odd number of pixels is computed twice. */
static void gather_windows(const struct petite_conv2d_s8_mve *p, struct petite_pairs *pairs,
			   struct cursor *at, bool is_last)
{
	pairs->input[0] = gather(p, at, p->scratch);
	if (is_last) {
		pairs->output[1] = pairs->output[0];
		pairs->input[1] = pairs->input[0];
	} else {
		advance(p, at, 1);
		pairs->input[1] = gather(p, at, p->scratch + p->chunks * 16);
	}
	advance(p, at, 1);
	pairs->chunks = p->chunks;
	pairs->rows = 1;
}

enum petite_status petite_conv2d_s8_mve(const void *params)
{
	const struct petite_conv2d_s8_mve *p = params;
	struct cursor at = {.image = p->input};
	int32_t left = p->batches * p->output_h * p->output_w;
	struct petite_pairs pairs = {
		.gap = (p->dilation_h * p->input_w - p->kernel_w) * p->input_c,
		.output = {p->output, p->output + p->output_c},
		.channels = p->output_c,
		.weights = p->weights,
		.scales = p->scales,
		.output_offset = p->output_offset,
		.activation_min = p->activation_min,
		.activation_max = p->activation_max,
		.input_step = 2 * p->stride_w * p->input_c,
		.output_step = 2 * p->output_c - (p->output_c + 3) / 4 * 4,
		.has_negatives = p->activation_min < p->output_offset,
	};

	start_image(p, &at);
	while (left > 0) {
		pairs.count = pairs_in_place(p, &at);
		if (pairs.count > 0) {
			find_windows(p, &pairs, &at);
			advance(p, &at, 2 * pairs.count);
		} else {
			pairs.count = 1;
			gather_windows(p, &pairs, &at, left == 1);
		}
		if (pairs.chunks % 3 == 0) {
			pairs.chunks /= 3;
			petite_multiply_pairs_by_3_s8_mve(&pairs);
		} else {
			petite_multiply_pairs_s8_mve(&pairs);
		}
		pairs.output[0] += 2 * pairs.count * p->output_c;
		pairs.output[1] = pairs.output[0] + p->output_c;
		left -= 2 * pairs.count;
	}
	return PETITE_OK;
}

#endif
