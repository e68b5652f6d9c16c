/* SPDX-License-Identifier: Apache-2.0 */
#include "resize_bilinear_f32.h"

/** Two neighbours in one dimension, and how much each counts. */
struct neighbours {
	int32_t first;
	int32_t second;
	float near;
	float far;
};

static struct neighbours find(int32_t at, float scale, int32_t size, int32_t output_size,
			      int32_t align_corners)
{
	struct neighbours found = {.first = at, .second = at, .near = 1.0f, .far = 0.0f};
	float position;

	if (size == output_size) {
		return found;
	}
	position = align_corners ? scale * (float)at : scale * ((float)at + 0.5f) - 0.5f;
	position = position < 0.0f ? 0.0f : position;
	found.first = (int32_t)position;
	found.first = found.first < size - 1 ? found.first : size - 1;
	found.second = found.first < size - 1 ? found.first + 1 : found.first;
	found.far = position - (float)found.first;
	found.far = found.far < 1.0f ? found.far : 1.0f;
	found.near = 1.0f - found.far;
	return found;
}

/** All channels of one output pixel. */
static void write_pixel(const struct petite_resize_bilinear_f32 *p, const float *image,
			struct neighbours y, struct neighbours x, float *output)
{
	const float *top = image + y.first * p->input_w * p->channels;
	const float *bottom = image + y.second * p->input_w * p->channels;
	const int32_t left = x.first * p->channels;
	const int32_t right = x.second * p->channels;

	for (int32_t c = 0; c < p->channels; c++) {
		float above = top[left + c] * x.near + top[right + c] * x.far;
		float below = bottom[left + c] * x.near + bottom[right + c] * x.far;

		output[c] = above * y.near + below * y.far;
	}
}

enum petite_status petite_resize_bilinear_f32_scalar(const void *params)
{
	const struct petite_resize_bilinear_f32 *p = params;
	const float *image = p->input;
	float *output = p->output;

	for (int32_t n = 0; n < p->images; n++) {
		for (int32_t oy = 0; oy < p->output_h; oy++) {
			struct neighbours y =
				find(oy, p->scale_h, p->input_h, p->output_h, p->align_corners);

			for (int32_t ox = 0; ox < p->output_w; ox++) {
				struct neighbours x = find(ox, p->scale_w, p->input_w, p->output_w,
							   p->align_corners);

				write_pixel(p, image, y, x, output);
				output += p->channels;
			}
		}
		image += p->input_h * p->input_w * p->channels;
	}
	return PETITE_OK;
}
