/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "grid_sample_f32.h"

#define FARTHEST 1073741824.0f
/** Most pixels of one dimension that count. */
#define TAPS 4

enum mode { BILINEAR, NEAREST, BICUBIC };
enum padding { ZEROS, BORDER, REFLECTION };

/** Pixels along one dimension, and their weights; -1 is outside, where everything is 0. */
struct taps {
	int32_t count;
	int32_t at[TAPS];
	float weight[TAPS];
};

/** As ExecuTorch limits: what is not a number becomes the largest. */
static float clipped(float place, int32_t size)
{
	const float last = (float)(size - 1);
	const float from_zero = place < 0.0f ? 0.0f : place;

	return from_zero < last ? from_zero : last;
}

static float reflected(float place, int32_t size, int32_t align_corners)
{
	const float low = align_corners ? 0.0f : -0.5f;
	const float span = (float)(align_corners ? size - 1 : size);
	float distance = fabsf(place - low);
	float rest;

	if (span == 0.0f) {
		return 0.0f;
	}
	rest = fmodf(distance, span);
	if (fmodf(floorf(distance / span), 2.0f) == 0.0f) {
		return rest + low;
	}
	return span - rest + low;
}

static float place_of(float g, int32_t size, int32_t align_corners)
{
	if (align_corners) {
		return (g + 1.0f) / 2.0f * (float)(size - 1);
	}
	return ((g + 1.0f) * (float)size - 1.0f) / 2.0f;
}

static float inside(const struct petite_grid_sample_f32 *p, float place, int32_t size)
{
	if (p->padding == REFLECTION) {
		place = reflected(place, size, p->align_corners);
	}
	return p->padding == ZEROS ? place : clipped(place, size);
}

/** The number as an integer, which it is, or nearly the farthest one. */
static int32_t whole(float x)
{
	if (!(x > -FARTHEST)) {
		return -(int32_t)FARTHEST;
	}
	return x < FARTHEST ? (int32_t)x : (int32_t)FARTHEST;
}

static void add_tap(struct taps *taps, int32_t at, int32_t size, float weight)
{
	taps->at[taps->count] = at >= 0 && at < size ? at : -1;
	taps->weight[taps->count] = weight;
	taps->count++;
}

/** The weight of a pixel at a distance of at most 1, and of 1 to 2. */
static float near_weight(float x)
{
	return ((-0.75f + 2.0f) * x - (-0.75f + 3.0f)) * x * x + 1.0f;
}

static float far_weight(float x)
{
	return ((-0.75f * x - 5.0f * -0.75f) * x + 8.0f * -0.75f) * x - 4.0f * -0.75f;
}

static struct taps find_cubic(const struct petite_grid_sample_f32 *p, float place, int32_t size)
{
	const float left = floorf(place);
	const float past = place - left;
	const float before = 1.0f - past;
	const float weights[TAPS] = {far_weight(past + 1.0f), near_weight(past),
				     near_weight(before), far_weight(before + 1.0f)};
	struct taps taps = {0};

	for (int32_t i = 0; i < TAPS; i++) {
		const int32_t at = whole(left) + i - 1;

		add_tap(&taps, p->padding == ZEROS ? at : whole(inside(p, (float)at, size)), size,
			weights[i]);
	}
	return taps;
}

static struct taps find(const struct petite_grid_sample_f32 *p, float g, int32_t size)
{
	float place = place_of(g, size, p->align_corners);
	struct taps taps = {0};
	int32_t first;

	if (p->mode == BICUBIC) {
		return find_cubic(p, place, size);
	}
	place = inside(p, place, size);
	if (p->mode == NEAREST) {
		add_tap(&taps, whole(nearbyintf(place)), size, 1.0f);
		return taps;
	}
	first = whole(floorf(place));
	add_tap(&taps, first, size, (float)(first + 1) - place);
	/* Beyond the last pixel the weight is 0, unless everything there is. */
	add_tap(&taps, p->padding != ZEROS && first == size - 1 ? first : first + 1, size,
		place - (float)first);
	return taps;
}

static float pixel(const struct petite_grid_sample_f32 *p, const float *plane, int32_t y, int32_t x)
{
	return y < 0 || x < 0 ? 0.0f : plane[y * p->input_w + x];
}

/** Four pixels, of which those outside do not count. */
static float bilinear(const struct petite_grid_sample_f32 *p, const float *plane,
		      const struct taps *y, const struct taps *x)
{
	float sum = 0.0f;

	for (int32_t i = 0; i < y->count; i++) {
		for (int32_t j = 0; j < x->count; j++) {
			if (y->at[i] >= 0 && x->at[j] >= 0) {
				sum += pixel(p, plane, y->at[i], x->at[j]) *
				       (x->weight[j] * y->weight[i]);
			}
		}
	}
	return sum;
}

static float bicubic(const struct petite_grid_sample_f32 *p, const float *plane,
		     const struct taps *y, const struct taps *x)
{
	float sum = 0.0f;

	for (int32_t i = 0; i < TAPS; i++) {
		float row = pixel(p, plane, y->at[i], x->at[0]) * x->weight[0];

		for (int32_t j = 1; j < TAPS; j++) {
			row += pixel(p, plane, y->at[i], x->at[j]) * x->weight[j];
		}
		sum = i == 0 ? row * y->weight[0] : sum + row * y->weight[i];
	}
	return sum;
}

static float sample(const struct petite_grid_sample_f32 *p, const float *plane,
		    const struct taps *y, const struct taps *x)
{
	if (p->mode == NEAREST) {
		return pixel(p, plane, y->at[0], x->at[0]);
	}
	return p->mode == BICUBIC ? bicubic(p, plane, y, x) : bilinear(p, plane, y, x);
}

enum petite_status petite_grid_sample_f32_scalar(const void *params)
{
	const struct petite_grid_sample_f32 *p = params;
	const int32_t pixels = p->output_h * p->output_w;
	const int32_t plane = p->input_h * p->input_w;

	for (int32_t n = 0; n < p->images; n++) {
		const float *image = p->input + n * p->channels * plane;
		float *output = p->output + n * p->channels * pixels;

		for (int32_t i = 0; i < pixels; i++) {
			const float *g = p->grid + 2 * (n * pixels + i);
			const struct taps x = find(p, g[0], p->input_w);
			const struct taps y = find(p, g[1], p->input_h);

			for (int32_t c = 0; c < p->channels; c++) {
				output[c * pixels + i] = sample(p, image + c * plane, &y, &x);
			}
		}
	}
	return PETITE_OK;
}
