/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <stdbool.h>
#include <string.h>

#include "../common/limit_s8_dsp.h"
#include "../common/multiply_taps_s8_dsp.h"
#include "depthwise_conv2d_s8_dsp.h"

/** List the addresses of a window's positions, from the one at y, x on. */
static void list_taps(const struct petite_depthwise_conv2d_s8_dsp *p, const int8_t *image,
		      int32_t y, int32_t x, const int8_t **taps)
{
	const int8_t *outside = p->scratch + 8 * p->pairs;
	const int32_t step = p->dilation_w * p->channels;

	for (int32_t ky = p->kernel_h; ky > 0; ky--) {
		const uint32_t width = y >= 0 && y < p->input_h ? (uint32_t)p->input_w : 0;
		const int8_t *at = image + (y * p->input_w + x) * p->channels;
		int32_t column = x;

		for (int32_t kx = p->kernel_w; kx > 0; kx--) {
			/* Columns before the image are very large as unsigned numbers. */
			*taps++ = (uint32_t)column < width ? at : outside;
			column += p->dilation_w;
			at += step;
		}
		y += p->dilation_h;
	}
}

/** All channels of one pixel, whose window starts so many bytes after the listed addresses. */
static void write_pixel(const struct petite_depthwise_conv2d_s8_dsp *p,
			struct petite_taps_dsp *taps, int32_t shift, int8_t *output)
{
	taps->packed = p->packed;
	taps->output = output;
	taps->channel = shift;
	taps->blocks = p->channels >> 2;
	petite_multiply_taps_s8_dsp(taps);
	if (p->channels & 3) {
		taps->channel = shift + p->channels - 4;
		taps->output = output + p->channels - 4;
		taps->blocks = 1;
		petite_multiply_taps_s8_dsp(taps);
	}
	petite_limit_s8_dsp(output, p->channels, p->activation_min, p->activation_max);
}

/** A row of pixels. */
static int8_t *write_row(const struct petite_depthwise_conv2d_s8_dsp *p,
			 struct petite_taps_dsp *taps, const int8_t *image, int32_t y,
			 int8_t *output)
{
	const int32_t height = p->input_h - (p->kernel_h - 1) * p->dilation_h;
	const int32_t width = p->input_w - (p->kernel_w - 1) * p->dilation_w;
	const int32_t inside = y >= 0 && y < height && width > 0 ? width : 0;
	const int8_t **list = (const int8_t **)(void *)p->scratch;
	int32_t x = -p->pad_left;
	int32_t shift = -1;

	for (int32_t left = p->output_w; left > 0; left--) {
		/* Windows inside the image differ by a distance only. */
		const bool is_inside = (uint32_t)x < (uint32_t)inside;

		if (is_inside && shift >= 0) {
			shift += p->stride_w * p->channels;
			write_pixel(p, taps, shift, output);
		} else {
			list_taps(p, image, y, x, list);
			write_pixel(p, taps, 0, output);
			shift = is_inside ? 0 : -1;
		}
		x += p->stride_w;
		output += p->channels;
	}
	return output;
}

enum petite_status petite_depthwise_conv2d_s8_dsp(const void *params)
{
	const struct petite_depthwise_conv2d_s8_dsp *p = params;
	const int8_t **list = (const int8_t **)(void *)p->scratch;
	int8_t *outside = p->scratch + 8 * p->pairs;
	struct petite_taps_dsp taps;
	const int8_t *image = p->input;
	int8_t *output = p->output;

	memset(outside, p->pad_value, (size_t)p->channels);
	/* The position that fills up an odd number; its weights are zero. */
	list[2 * p->pairs - 1] = p->input;
	petite_taps_dsp_begin(&taps, list, p->pairs);
	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t y = 0; y < p->output_h; y++) {
			output = write_row(p, &taps, image, y * p->stride_h - p->pad_top, output);
		}
		image += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}

#endif
