/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>
#include <stddef.h>

#include "../common/bytes_mve.h"
#include "../common/multiply_pair_s8_mve.h"
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

static void next_image(const struct petite_conv2d_s8_mve *p, struct cursor *at)
{
	at->y = -p->pad_top;
	at->x = -p->pad_left;
	at->columns = p->output_w;
	at->rows = p->output_h;
}

static void next_pixel(const struct petite_conv2d_s8_mve *p, struct cursor *at)
{
	at->x += p->stride_w;
	if (--at->columns == 0) {
		at->x = -p->pad_left;
		at->y += p->stride_h;
		at->columns = p->output_w;
		if (--at->rows == 0) {
			at->image += p->input_h * p->input_w * p->input_c;
			next_image(p, at);
		}
	}
}

/** Where the window starts, if all of it lies inside the image and can be read there. */
static const int8_t *in_place(const struct petite_conv2d_s8_mve *p, const struct cursor *at)
{
	if (p->row_chunks == 0 || at->y < 0 || at->x < 0 || at->x + p->kernel_w > p->input_w ||
	    at->y + (p->kernel_h - 1) * p->dilation_h >= p->input_h) {
		return NULL;
	}
	return at->image + (at->y * p->input_w + at->x) * p->input_c;
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

/** Copy a window to where its bytes follow one another. */
static const int8_t *gather(const struct petite_conv2d_s8_mve *p, const struct cursor *at,
			    int8_t *window)
{
	const int32_t length = p->kernel_w * p->input_c;
	const bool is_run = p->dilation_w == 1 && at->x >= 0 && at->x + p->kernel_w <= p->input_w;
	const int32_t pitch = p->input_w * p->input_c;
	int8_t *to = window;
	int32_t y = at->y;

	for (int32_t ky = 0; ky < p->kernel_h; ky++, y += p->dilation_h) {
		if (y < 0 || y >= p->input_h) {
			to = petite_fill_mve(to, p->pad_value, length);
		} else if (is_run) {
			to = petite_copy_mve(to, at->image + y * pitch + at->x * p->input_c,
					     length);
		} else {
			to = gather_columns(p, at->image + y * pitch, at->x, to);
		}
	}
	return window;
}

/** Windows of two pixels: both in place, or both gathered. */
static void find_windows(const struct petite_conv2d_s8_mve *p, struct petite_pair *pair,
			 const struct cursor *first, const struct cursor *second)
{
	pair->input[0] = in_place(p, first);
	pair->input[1] = in_place(p, second);
	if (pair->input[0] != NULL && pair->input[1] != NULL) {
		pair->chunks = p->row_chunks;
		pair->rows = p->kernel_h;
	} else {
		pair->input[0] = gather(p, first, p->scratch);
		pair->input[1] = gather(p, second, p->scratch + p->chunks * 16);
		pair->chunks = p->chunks;
		pair->rows = 1;
	}
}

enum petite_status petite_conv2d_s8_mve(const void *params)
{
	const struct petite_conv2d_s8_mve *p = params;
	struct cursor at = {.image = p->input};
	int32_t left = p->batches * p->output_h * p->output_w;
	struct petite_pair pair = {
		.gap = (p->dilation_h * p->input_w - p->kernel_w) * p->input_c,
		.output = {p->output, p->output},
		.channels = p->output_c,
		.weights = p->weights,
		.scales = p->scales,
		.output_offset = p->output_offset,
		.activation_min = p->activation_min,
		.activation_max = p->activation_max,
	};

	next_image(p, &at);
	while (left > 0) {
		struct cursor first = at;

		/* The last of an odd number of pixels is computed twice. */
		if (left > 1) {
			next_pixel(p, &at);
			pair.output[1] += p->output_c;
		}
		find_windows(p, &pair, &first, &at);
		petite_multiply_pair_s8_mve(&pair);
		next_pixel(p, &at);
		pair.output[1] += p->output_c;
		pair.output[0] = pair.output[1];
		left -= 2;
	}
	return PETITE_OK;
}

#endif
