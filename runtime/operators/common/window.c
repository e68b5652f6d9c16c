/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

/** Sizes, strides and their like are below; products of two of them fit 32 bits. */
#define LIMIT 32768

void petite_check_window_numbers(struct petite_call *call, const struct petite_window *window)
{
	for (uint32_t side = 0; side < 2; side++) {
		petite_call_require(call,
				    window->kernel[side] >= 1 && window->kernel[side] < LIMIT);
		petite_call_require(call,
				    window->stride[side] >= 1 && window->stride[side] < LIMIT);
		petite_call_require(call,
				    window->padding[side] >= 0 && window->padding[side] < LIMIT);
		petite_call_require(call,
				    window->dilation[side] >= 1 && window->dilation[side] < LIMIT);
	}
}

static void check_side(struct petite_call *call, const struct petite_window *window, uint32_t side,
		       int32_t input, int32_t output)
{
	int64_t last = (int64_t)(output - 1) * window->stride[side] - window->padding[side];

	petite_call_require(call, last < (int64_t)input + window->padding[side]);
}

void petite_check_window(struct petite_call *call, const struct petite_window *window,
			 const struct petite_image *input, const struct petite_image *output)
{
	petite_call_require(call, input->batches == output->batches);
	petite_check_window_numbers(call, window);
	check_side(call, window, 0, input->height, output->height);
	check_side(call, window, 1, input->width, output->width);
}

/** Whether a window that begins at an origin, at most the padding left of 0, has a tap inside. */
static bool covers(const struct petite_window *window, uint32_t side, int64_t origin, int32_t size)
{
	/* Small where it counts, and not divided in 64 bits. */
	int32_t outside = origin < 0 ? (int32_t)-origin : 0;
	int32_t first = (outside + window->dilation[side] - 1) / window->dilation[side];

	return first < window->kernel[side] &&
	       origin + (int64_t)first * window->dilation[side] < size;
}

static void check_coverage(struct petite_call *call, const struct petite_window *window,
			   uint32_t side, int32_t input, int32_t output)
{
	int64_t stride = window->stride[side];

	/* Those that begin left of the image: fewer than the padding has columns. */
	for (int64_t at = 0; at < output && !petite_call_failed(call); at++) {
		int64_t origin = at * stride - window->padding[side];

		petite_call_require(call, covers(window, side, origin, input));
		if (origin >= 0) {
			break;
		}
	}
	petite_call_require(
		call, covers(window, side, (output - 1) * stride - window->padding[side], input));
}

void petite_check_coverage(struct petite_call *call, const struct petite_window *window,
			   const struct petite_image *input, const struct petite_image *output)
{
	if (petite_call_failed(call)) {
		return;
	}
	check_coverage(call, window, 0, input->height, output->height);
	check_coverage(call, window, 1, input->width, output->width);
}

static int32_t implied(const struct petite_window *window, uint32_t side, int32_t input,
		       int32_t output)
{
	int64_t spread = (int64_t)(window->kernel[side] - 1) * window->dilation[side] + 1;
	int64_t padding = (int64_t)(output - 1) * window->stride[side] + spread - input -
			  window->padding[side];

	return padding > 0 && padding <= INT32_MAX ? (int32_t)padding : 0;
}

void petite_implied_padding(const struct petite_window *window, const struct petite_image *input,
			    const struct petite_image *output, int32_t *below, int32_t *right)
{
	*below = implied(window, 0, input->height, output->height);
	*right = implied(window, 1, input->width, output->width);
}
