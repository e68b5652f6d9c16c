/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stddef.h>

#include <arm_mve.h>

#include "../common/plain_pixels_s8_mve.h"
#include "../common/window.h"
#include "plain_conv2d_s8_mve.h"

struct work {
	const struct petite_conv2d_s8 *p;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
	int32_t batches;
	/** Pixels of a row whose windows begin left of the image, and those with whole windows. */
	int32_t begin_outside;
	int32_t inside;
	struct petite_plain_block block;
	struct petite_plain_pixels pixels;
};

/** The part of its window that a pixel sees, in the block's weights. */
struct part {
	int32_t at;
	int32_t length;
	int32_t rows;
};

/** offset * the sum of the weights in a part of the window, for each channel of the block. */
static void add_offsets(const struct work *w, struct part part, uint32_t *sums)
{
	const int32_t row = w->p->kernel_w * w->p->input_c;

	for (int32_t i = 0; i < PETITE_BLOCK; i++) {
		const int8_t *weights = w->block.weights[i] + part.at;
		int32_t sum = 0;

		for (int32_t y = 0; y < part.rows; y++) {
			for (int32_t k = 0; k < part.length; k += 16) {
				mve_pred16_t some = vctp8q((uint32_t)(part.length - k));

				sum = vaddvaq_p_s8(sum, vldrbq_z_s8(weights + k, some), some);
			}
			weights += row;
		}
		sums[i] += (uint32_t)w->p->input_offset * (uint32_t)sum;
	}
}

/** Where the sums of pixels that see a part of their window start: all those of the same part. */
static void set_part(struct work *w, struct part part)
{
	const struct petite_conv2d_s8 *p = w->p;
	const int32_t begun = (part.length + 15) & ~15;
	uint32_t sums[PETITE_BLOCK];

	vstrwq_u32(sums, vldrwq_u32(w->block.bias));
	add_offsets(w, part, sums);
	petite_plain_take_s8_mve(&w->pixels, &w->block, sums, part.at);
	w->pixels.length = part.rows > 0 ? part.length : 0;
	w->pixels.rows = part.rows > 0 ? part.rows : 1;
	w->pixels.next_input = p->dilation_h * w->input_w * p->input_c - begun;
	w->pixels.next_weights = p->kernel_w * p->input_c - begun;
}

/** The pixels from column x on, `count` in each row, whose windows are cut alike at the sides. */
static void convolve_columns(struct work *w, const int8_t *image, int8_t *output, int32_t x,
			     int32_t count)
{
	const struct petite_conv2d_s8 *p = w->p;
	struct petite_window columns =
		petite_clip_window(x * p->stride_w - p->pad_left, 1, p->kernel_w, w->input_w);
	struct part last = {0, 0, -1};

	output += x * p->output_c;
	for (int32_t y = 0; y < w->output_h; y++) {
		struct petite_window rows = petite_clip_window(
			y * p->stride_h - p->pad_top, p->dilation_h, p->kernel_h, p->input_h);
		struct part part = {
			.at = (rows.first * p->kernel_w + columns.first) * p->input_c,
			.length = (columns.end - columns.first) * p->input_c,
			.rows = rows.end - rows.first,
		};

		if (part.at != last.at || part.rows != last.rows) {
			set_part(w, part);
			last = part;
		}
		w->pixels.input = image + (rows.start * w->input_w + columns.start) * p->input_c;
		w->pixels.output = output;
		w->pixels.pixels = count;
		petite_plain_pixels_s8_mve(&w->pixels);
		output += w->output_w * p->output_c;
	}
}

/** One image, for one block. */
static void convolve_image(struct work *w, const int8_t *image, int8_t *output)
{
	for (int32_t x = 0; x < w->output_w;) {
		int32_t count = x == w->begin_outside && w->inside > 0 ? w->inside : 1;

		convolve_columns(w, image, output, x, count);
		x += count;
	}
}

/** From output channel `first` on. */
static void begin_block(struct work *w, int32_t first)
{
	const struct petite_conv2d_s8 *p = w->p;
	const int32_t window = p->kernel_h * p->kernel_w * p->input_c;

	petite_plain_begin_s8_mve(&w->block, p->output_c - first, p->weights + first * window,
				  window, p->bias == NULL ? NULL : p->bias + first);
	for (int32_t i = 0; i < w->block.channels; i++) {
		petite_plain_scale_s8_mve(&w->pixels, i, p->multiplier[first + i],
					  p->shift[first + i]);
	}
}

/** Sizes. Where each pixel sees only itself, all images are one row. */
static void measure(struct work *w)
{
	const struct petite_conv2d_s8 *p = w->p;

	w->input_w = p->input_w;
	w->output_h = p->output_h;
	w->output_w = p->output_w;
	w->batches = p->batches;
	if (p->kernel_h == 1 && p->kernel_w == 1 && p->stride_h == 1 && p->stride_w == 1 &&
	    p->pad_top == 0 && p->pad_left == 0 && p->output_h == p->input_h &&
	    p->output_w == p->input_w) {
		w->output_w *= p->output_h * p->batches;
		w->input_w = w->output_w;
		w->output_h = 1;
		w->batches = 1;
	}
	for (int32_t x = 0; x < w->output_w; x++) {
		int32_t origin = x * p->stride_w - p->pad_left;

		if (origin < 0) {
			w->begin_outside++;
		} else if (origin + p->kernel_w <= w->input_w) {
			w->inside++;
		}
	}
}

enum petite_status petite_plain_conv2d_s8_mve(const void *params)
{
	const struct petite_conv2d_s8 *p = params;
	struct work w = {
		.p = p,
		.pixels =
			{
				.input_step = p->stride_w * p->input_c,
				.output_step = p->output_c,
				.output_offset = p->output_offset,
				.activation_min = p->activation_min,
				.activation_max = p->activation_max,
			},
	};

	measure(&w);
	for (int32_t first = 0; first < p->output_c; first += PETITE_BLOCK) {
		begin_block(&w, first);
		for (int32_t b = 0; b < w.batches; b++) {
			convolve_image(&w, p->input + b * p->input_h * p->input_w * p->input_c,
				       p->output + first +
					       b * w.output_h * w.output_w * p->output_c);
		}
	}
	return PETITE_OK;
}

#endif
