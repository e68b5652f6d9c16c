/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

/** Sizes, strides and their like are below; products of two of them fit 32 bits. */
#define LIMIT 32768

static void check_side(struct petite_call *call, const struct petite_window *window, uint32_t side,
		       int32_t input, int32_t output)
{
	int64_t last = (int64_t)(output - 1) * window->stride[side] - window->padding[side];

	petite_call_require(call, window->kernel[side] >= 1 && window->kernel[side] < LIMIT);
	petite_call_require(call, window->stride[side] >= 1 && window->stride[side] < LIMIT);
	petite_call_require(call, window->padding[side] >= 0 && window->padding[side] < LIMIT);
	petite_call_require(call, window->dilation[side] >= 1 && window->dilation[side] < LIMIT);
	petite_call_require(call, last < (int64_t)input + window->padding[side]);
}

void petite_check_window(struct petite_call *call, const struct petite_window *window,
			 const struct petite_image *input, const struct petite_image *output)
{
	petite_call_require(call, input->batches == output->batches);
	check_side(call, window, 0, input->height, output->height);
	check_side(call, window, 1, input->width, output->width);
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
