/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>
#include <stddef.h>

#include "../common/bytes_mve.h"
#include "../common/multiply_pairs_s8_mve.h"
#include "../common/window.h"
#include "conv2d_s8_mve.h"

/** An output pixel, and the first position of its window. */
struct cursor {
	int8_t *output;
	const int8_t *image;
	int32_t y;
	int32_t x;
	/** Pixels left in the row, and rows left in the image, this one included. */
	int32_t columns;
	int32_t rows;
	/** Rows of its window that lie inside the image. */
	struct petite_window window;
};

static void start_row(const struct petite_conv2d_s8_mve *p, struct cursor *at)
{
	at->x = -p->pad_left;
	at->columns = p->output_w;
	at->window = petite_clip_window(at->y, p->dilation_h, p->kernel_h, p->input_h);
}

static void start_image(const struct petite_conv2d_s8_mve *p, struct cursor *at)
{
	at->y = -p->pad_top;
	at->rows = p->output_h;
	start_row(p, at);
}

/** Go on by so many pixels of the row, at most to its end. */
static void advance(const struct petite_conv2d_s8_mve *p, struct cursor *at, int32_t pixels)
{
	at->output += pixels * p->output_pitch;
	at->x += pixels * p->stride_w;
	at->columns -= pixels;
	if (at->columns > 0) {
		return;
	}
	at->output += p->output_row_gap;
	at->y += p->stride_h;
	if (--at->rows > 0) {
		start_row(p, at);
		return;
	}
	at->output += p->output_image_gap;
	at->image += p->input_h * p->input_w * p->input_c;
	start_image(p, at);
}

/** Pairs from here to the end of the row whose windows can be read in place. */
static int32_t pairs_in_place(const struct petite_conv2d_s8_mve *p, const struct cursor *at)
{
	const int32_t last_row = at->y + (p->kernel_h - 1) * p->dilation_h;
	/* First positions that are too far to the right: in the image, or for whole chunks. */
	int32_t end = p->input_w - p->kernel_w + 1;
	int32_t chunks_end = (p->input_h - last_row) * p->input_w * p->input_c;
	int32_t last = at->x + (at->columns - 1) * p->stride_w;
	int32_t pixels = at->columns;

	if (p->row_chunks == 0 || at->x < 0 || at->window.end - at->window.first < p->kernel_h) {
		return 0;
	}
	chunks_end -= p->row_chunks * 16 - 1;
	while (pixels > 0 && (last >= end || last * p->input_c >= chunks_end)) {
		last -= p->stride_w;
		pixels--;
	}
	return pixels / 2;
}

/** Copy rows of at most 16 bytes, at least one. */
static void copy_short_rows(int8_t *to, const int8_t *from, int32_t length, int32_t rows,
			    int32_t to_step, int32_t from_step)
{
	uint32_t saved;

	/* Compilers move the predicate in every turn, and have no name for its register. */
	__asm__ volatile("	vmrs %[saved], p0\n"
			 "	vctp.8 %[length]\n"
			 "	dls lr, %[rows]\n"
			 "1:	vpstt\n"
			 "	vldrbt.u8 q0, [%[from]]\n"
			 "	vstrbt.8 q0, [%[to]]\n"
			 "	add %[from], %[from_step]\n"
			 "	add %[to], %[to_step]\n"
			 "	le lr, 1b\n"
			 "	vmsr p0, %[saved]\n"
			 : [to] "+l"(to), [from] "+l"(from), [saved] "=&r"(saved)
			 : [length] "r"(length), [rows] "r"(rows), [to_step] "r"(to_step),
			   [from_step] "r"(from_step)
			 : "lr", "q0", "memory");
}

/** Copy the part of a window that lies inside the image. */
static void copy_window(const struct petite_conv2d_s8_mve *p, const struct cursor *at,
			const struct petite_window *columns, int8_t *to)
{
	const struct petite_window *rows = &at->window;
	const int32_t from_step = p->dilation_h * p->input_w * p->input_c;
	const int8_t *from = at->image + (rows->start * p->input_w + columns->start) * p->input_c;
	int32_t left = rows->end - rows->first;
	int32_t runs = columns->end - columns->first;
	int32_t length = p->input_c;

	to += rows->first * p->pitch + columns->first * p->input_c;
	if (p->dilation_w == 1) {
		length *= runs;
		runs = 1;
	}
	if (runs == 1 && length <= 16) {
		copy_short_rows(to, from, length, left, p->pitch, from_step);
		return;
	}
	for (; left > 0; left--) {
		const int8_t *run = from;
		int8_t *next = to;

		for (int32_t k = runs; k > 0; k--) {
			next = petite_copy_mve(next, run, length);
			run += p->dilation_w * p->input_c;
		}
		to += p->pitch;
		from += from_step;
	}
}

/** Copy a window to where its bytes follow one another. */
static const int8_t *gather(const struct petite_conv2d_s8_mve *p, const struct cursor *at,
			    int8_t *window)
{
	const struct petite_window columns =
		petite_clip_window(at->x, p->dilation_w, p->kernel_w, p->input_w);
	const int32_t height = at->window.end - at->window.first;
	const int32_t width = columns.end - columns.first;

	if (height < p->kernel_h || width < p->kernel_w) {
		petite_fill_mve(window, p->pad_value, p->chunks * 16);
	}
	if (height > 0 && width > 0) {
		copy_window(p, at, &columns, window);
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
	pairs->rows = p->kernel_h;
	petite_pairs_set_chunks(pairs, p->row_chunks);
}

/** One pair, whose windows are gathered. A pixel that is alone is computed twice. */
static void gather_windows(const struct petite_conv2d_s8_mve *p, struct petite_pairs *pairs,
			   struct cursor *at, bool is_alone)
{
	pairs->input[0] = gather(p, at, p->scratch);
	if (is_alone) {
		pairs->output[1] = pairs->output[0];
		pairs->input[1] = pairs->input[0];
	} else {
		advance(p, at, 1);
		pairs->output[1] = at->output;
		pairs->input[1] = gather(p, at, p->scratch + p->chunks * 16);
	}
	advance(p, at, 1);
	pairs->rows = 1;
	petite_pairs_set_chunks(pairs, p->chunks);
}

enum petite_status petite_conv2d_s8_mve(const void *params)
{
	const struct petite_conv2d_s8_mve *p = params;
	struct cursor at = {.output = p->output, .image = p->input};
	int32_t left = p->batches * p->output_h * p->output_w;
	bool is_alone = p->starts_alone != 0;
	int32_t pixels;
	struct petite_pairs pairs;

	/* Not an initialiser: that would clear it first, with a call. */
	pairs.gap = p->dilation_h * p->input_w * p->input_c - p->row_chunks * 16;
	pairs.weights = p->weights;
	pairs.input_step = 2 * p->stride_w * p->input_c;
	petite_pairs_set_output(&pairs, p->output_c, p->output_pitch);
	petite_pairs_set_range(&pairs, p->output_offset, p->activation_min, p->activation_max);
	start_image(p, &at);
	for (; left > 0; left -= pixels) {
		pairs.output[0] = at.output;
		pairs.output[1] = at.output + p->output_pitch;
		pairs.count = is_alone ? 0 : pairs_in_place(p, &at);
		if (pairs.count > 0) {
			pixels = 2 * pairs.count;
			find_windows(p, &pairs, &at);
			advance(p, &at, pixels);
		} else {
			is_alone = is_alone || left == 1;
			pixels = is_alone ? 1 : 2;
			pairs.count = 1;
			gather_windows(p, &pairs, &at, is_alone);
			is_alone = false;
		}
		petite_multiply_pairs_s8_mve(&pairs);
	}
	return PETITE_OK;
}

#endif
