/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/resize/resize_antialias_f32.h"
#include "../common/movement.h"
#include "resize.h"

/** A dimension: sizes, and input pixels for one output pixel. */
struct dimension {
	int32_t size;
	int32_t output;
	float scale;
};

/** The input pixels that an output pixel is made of, before they are weighted. */
struct reach {
	int32_t first;
	int32_t count;
	float centre;
};

/** A triangle around the centre, as wide as two input pixels, or two output pixels if larger. */
static struct reach reach_of(const struct dimension *dimension, int32_t at)
{
	float half_width = dimension->scale >= 1.0f ? dimension->scale : 1.0f;
	float centre = dimension->scale * ((float)at + 0.5f);
	int32_t first = (int32_t)(centre - half_width + 0.5f);
	int32_t end = (int32_t)(centre + half_width + 0.5f);
	struct reach reach = {.centre = centre};

	reach.first = first > 0 ? first : 0;
	end = end < dimension->size ? end : dimension->size;
	reach.count = end > reach.first ? end - reach.first : 0;
	return reach;
}

/** One line of weights, whose sum is one. Gives what of the image it is for. */
static struct reach weigh(const struct dimension *dimension, int32_t at, float *weights)
{
	float slope = dimension->scale >= 1.0f ? 1.0f / dimension->scale : 1.0f;
	struct reach reach = reach_of(dimension, at);
	float total = 0.0f;

	for (int32_t k = 0; k < reach.count; k++) {
		float far = ((float)(reach.first + k) - reach.centre + 0.5f) * slope;
		float weight = 1.0f - (far < 0.0f ? -far : far);

		weights[k] = weight > 0.0f ? weight : 0.0f;
		total += weights[k];
	}
	if (total <= 0.0f) {
		int32_t nearest = (int32_t)reach.centre;
		int32_t last = dimension->size - 1;

		reach.first = nearest < last ? nearest : last;
		reach.first = reach.first > 0 ? reach.first : 0;
		reach.count = 1;
		weights[0] = 1.0f;
		return reach;
	}
	for (int32_t k = 0; k < reach.count; k++) {
		weights[k] /= total;
	}
	return reach;
}

/** Tables of one dimension, in memory for structures. Gives the number of weights of a line. */
static int32_t make_tables(struct petite_call *call, const struct dimension *dimension,
			   const int32_t **first, const int32_t **count, const float **weights)
{
	int32_t taps = 1;
	uint32_t lines = (uint32_t)dimension->output;
	int32_t *starts;
	int32_t *counts;
	float *table;

	for (int32_t at = 0; at < dimension->output; at++) {
		int32_t needed = reach_of(dimension, at).count;

		taps = needed > taps ? needed : taps;
	}
	petite_call_require(call, (uint64_t)lines * (uint32_t)taps <= INT32_MAX / 4);
	starts = petite_call_reserve(call, lines * (uint32_t)sizeof(starts[0]));
	counts = petite_call_reserve(call, lines * (uint32_t)sizeof(counts[0]));
	table = petite_call_reserve(call, lines * (uint32_t)taps * (uint32_t)sizeof(table[0]));
	for (int32_t at = 0; table != NULL && at < dimension->output; at++) {
		struct reach reach = weigh(dimension, at, table + at * taps);

		starts[at] = reach.first;
		counts[at] = reach.count;
	}
	*first = starts;
	*count = counts;
	*weights = table;
	return taps;
}

/** What an argument says of a dimension, where both of them are there and it is positive. */
static double factor_of(struct petite_call *call, const struct petite_resize *own, uint32_t side)
{
	double factor = 0.0;

	if (!petite_call_is_none(call, 3) && !petite_call_is_none(call, 4)) {
		factor = petite_call_number(call, 3 + side);
	}
	return factor > 0.0 ? factor
			    : (double)own->output.sizes[2 + side] / own->input.sizes[2 + side];
}

/** (x, output size, align corners, vertical factor?, horizontal factor?, output): bilinear */
void petite_prepare_upsample_bilinear2d_aa(struct petite_call *call)
{
	struct petite_resize own;
	struct petite_resize_antialias_f32 params = {0};
	struct dimension sides[2];
	bool align_corners = petite_call_int(call, 2) != 0;

	petite_call_resize(call, &own);
	for (uint32_t k = 0; k < 2 && !petite_call_failed(call); k++) {
		sides[k].size = own.input.sizes[2 + k];
		sides[k].output = own.output.sizes[2 + k];
		sides[k].scale = petite_resize_scale(call, sides[k].size, sides[k].output,
						     factor_of(call, &own, k), align_corners);
	}
	if (petite_call_failed(call)) {
		return;
	}
	params.input = own.input.data;
	params.output = own.target.data;
	params.images = own.images;
	params.input_h = sides[0].size;
	params.input_w = sides[1].size;
	params.output_h = sides[0].output;
	params.output_w = sides[1].output;
	params.channels = own.channels;
	params.taps_h = make_tables(call, &sides[0], &params.first_h_table, &params.count_h_table,
				    &params.weights_h_table);
	params.taps_w = make_tables(call, &sides[1], &params.first_w_table, &params.count_w_table,
				    &params.weights_w_table);
	petite_call_step(call, petite_resize_antialias_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &own.target, &own.output);
}
