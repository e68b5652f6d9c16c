/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>
#include <stddef.h>

#include "../common/bytes_mve.h"
#include "../common/multiply_pairs_s8_mve.h"
#include "pointwise_conv2d_s8_mve.h"

static int32_t chunks_of(const struct petite_pointwise_conv2d_s8_mve *p)
{
	return (p->input_c + 15) / 16;
}

/** Pixels from the first one on that may be read in whole chunks; an even number. */
static int32_t pixels_in_place(const struct petite_pointwise_conv2d_s8_mve *p)
{
	const int32_t beyond = chunks_of(p) * 16 - p->input_c;
	int32_t pixels = p->pixels;

	for (int32_t bytes = 0; bytes < beyond && pixels > 0; bytes += p->input_c) {
		pixels--;
	}
	return pixels & ~1;
}

/** A pixel where it can be read in whole chunks, though the image may end with it. */
static const int8_t *whole_chunks(const struct petite_pointwise_conv2d_s8_mve *p,
				  const int8_t *pixel, int32_t which)
{
	int8_t *copy;

	if (p->scratch == NULL) {
		return pixel;
	}
	copy = p->scratch + which * chunks_of(p) * 16;
	petite_copy_mve(copy, pixel, p->input_c);
	return copy;
}

/** One pair at the end. The last of an odd number of pixels is computed twice. */
static void last_pair(const struct petite_pointwise_conv2d_s8_mve *p, struct petite_pairs *pairs,
		      const int8_t *input, bool is_whole)
{
	pairs->count = 1;
	pairs->input[0] = whole_chunks(p, input, 0);
	if (is_whole) {
		pairs->input[1] = whole_chunks(p, input + p->input_c, 1);
	} else {
		pairs->input[1] = pairs->input[0];
		pairs->output[1] = pairs->output[0];
	}
}

enum petite_status petite_pointwise_conv2d_s8_mve(const void *params)
{
	const struct petite_pointwise_conv2d_s8_mve *p = params;
	int32_t left = p->pixels;
	int32_t pixels = pixels_in_place(p);
	const int8_t *input = p->input;
	struct petite_pairs pairs;

	pairs.input[0] = input;
	pairs.input[1] = input + p->input_c;
	pairs.rows = 1;
	petite_pairs_set_chunks(&pairs, chunks_of(p));
	pairs.output[0] = p->output;
	pairs.weights = p->weights;
	pairs.input_step = 2 * p->input_c;
	petite_pairs_set_output(&pairs, p->output_c, p->output_c);
	petite_pairs_set_range(&pairs, p->output_offset, p->activation_min, p->activation_max);
	for (; left > 0; left -= pixels) {
		pairs.output[1] = pairs.output[0] + p->output_c;
		pairs.count = pixels / 2;
		if (pixels == 0 || left < p->pixels) {
			pixels = 2;
			last_pair(p, &pairs, input, left > 1);
		}
		petite_multiply_pairs_s8_mve(&pairs);
		pairs.output[0] += pixels * p->output_c;
		input += pixels * p->input_c;
	}
	return PETITE_OK;
}

#endif
