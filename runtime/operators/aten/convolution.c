/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "../../kernels/conv2d/conv2d_f32.h"
#include "../../kernels/transpose_conv2d/transpose_conv2d_f32.h"
#include "../common/layout.h"
#include "../common/window.h"
#include "aten.h"

/** (x, weights, bias?, stride, padding, dilation, transposed, output padding, groups, output) */
enum position {
	INPUT,
	WEIGHTS,
	BIAS,
	STRIDE,
	PADDING,
	DILATION,
	TRANSPOSED,
	OUTPUT_PADDING,
	GROUPS,
};

/** A tensor as kernels see it: four sizes and strides, in logical order. */
struct four {
	const float *data;
	int32_t sizes[4];
	int32_t strides[4];
};

struct convolution {
	struct four input;
	struct four weights;
	struct four output;
	const float *bias;
	struct petite_window window;
	int32_t groups;
};

/** Images in one dimension have one row. */
static void spread(struct petite_call *call, const struct petite_load_tensor *tensor,
		   struct four *four)
{
	int32_t strides[PETITE_LOAD_RANK] = {0};
	uint32_t at = 0;

	petite_call_require(call, (tensor->rank == 3 || tensor->rank == 4) && tensor->count > 0);
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(tensor, strides);
	four->data = tensor->data;
	for (uint32_t k = 0; k < 4; k++) {
		bool is_missing = tensor->rank == 3 && k == 2;

		four->sizes[k] = is_missing ? 1 : tensor->sizes[at];
		four->strides[k] = is_missing ? 0 : strides[at];
		at += is_missing ? 0 : 1;
	}
}

/** Height and width; of an image in one dimension, what is given is the width. */
static void take_pair(struct petite_call *call, uint32_t position, bool is_line, int32_t height,
		      int32_t *pair)
{
	uint32_t count = petite_call_ints(call, position, pair, 2);

	petite_call_require(call, count == 1 || (count == 2 && !is_line));
	if (count == 1) {
		pair[1] = pair[0];
		pair[0] = is_line ? height : pair[0];
	}
}

static void take(struct petite_call *call, struct convolution *own)
{
	struct petite_load_tensor input;
	struct petite_load_tensor weights;
	struct petite_load_tensor output;
	struct petite_load_tensor bias = {0};
	bool is_line;

	memset(own, 0, sizeof(*own));
	petite_call_input(call, INPUT, PETITE_F32, &input);
	petite_call_input(call, WEIGHTS, PETITE_F32, &weights);
	if (!petite_call_is_none(call, BIAS)) {
		petite_call_input(call, BIAS, PETITE_F32, &bias);
		own->bias = bias.data;
	}
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_require(call, input.rank == weights.rank && input.rank == output.rank);
	is_line = input.rank == 3;
	spread(call, &input, &own->input);
	spread(call, &weights, &own->weights);
	spread(call, &output, &own->output);
	petite_call_require(call, petite_call_is_none(call, BIAS) ||
					  (bias.rank == 1 && bias.count == own->output.sizes[1]));
	take_pair(call, STRIDE, is_line, 1, own->window.stride);
	take_pair(call, PADDING, is_line, 0, own->window.padding);
	take_pair(call, DILATION, is_line, 1, own->window.dilation);
	own->window.kernel[0] = own->weights.sizes[2];
	own->window.kernel[1] = own->weights.sizes[3];
	own->groups = petite_call_int(call, GROUPS);
	petite_check_window_numbers(call, &own->window);
}

/** Channels of both sides against the weights, which are [outer][inner of a group]. */
static void check_channels(struct petite_call *call, const struct convolution *own, int32_t outer,
			   int32_t inner)
{
	petite_call_require(call, own->groups >= 1);
	if (petite_call_failed(call)) {
		return;
	}
	petite_call_require(call, own->weights.sizes[0] == outer && outer % own->groups == 0 &&
					  (int64_t)own->weights.sizes[1] * own->groups == inner);
}

static struct petite_image image_of(const struct four *four)
{
	return (struct petite_image){four->sizes[0], four->sizes[2], four->sizes[3],
				     four->sizes[1]};
}

/** Fail unless the step from tap to tap, which kernels also take behind the last one, fits. */
static void check_steps(struct petite_call *call, const struct convolution *own)
{
	for (uint32_t side = 0; side < 2; side++) {
		petite_call_require(call, (int64_t)own->window.dilation[side] *
							  own->input.strides[2 + side] <
						  INT32_MAX / 2);
	}
}

/** Both kernels have fields of the same names. */
#define SET_PARAMS(params, own)                                                                    \
	do {                                                                                       \
		(params).input = (own).input.data;                                                 \
		(params).weights = (own).weights.data;                                             \
		(params).bias = (own).bias;                                                        \
		(params).output = (float *)(uintptr_t)(own).output.data;                           \
		(params).batches = (own).output.sizes[0];                                          \
		(params).input_c = (own).input.sizes[1];                                           \
		(params).input_h = (own).input.sizes[2];                                           \
		(params).input_w = (own).input.sizes[3];                                           \
		(params).output_c = (own).output.sizes[1];                                         \
		(params).output_h = (own).output.sizes[2];                                         \
		(params).output_w = (own).output.sizes[3];                                         \
		(params).kernel_h = (own).window.kernel[0];                                        \
		(params).kernel_w = (own).window.kernel[1];                                        \
		(params).stride_h = (own).window.stride[0];                                        \
		(params).stride_w = (own).window.stride[1];                                        \
		(params).dilation_h = (own).window.dilation[0];                                    \
		(params).dilation_w = (own).window.dilation[1];                                    \
		(params).pad_top = (own).window.padding[0];                                        \
		(params).pad_left = (own).window.padding[1];                                       \
		(params).groups = (own).groups;                                                    \
		memcpy((params).input_layout, (own).input.strides, sizeof((own).input.strides));   \
		memcpy((params).weights_layout, (own).weights.strides,                             \
		       sizeof((own).weights.strides));                                             \
		memcpy((params).output_layout, (own).output.strides,                               \
		       sizeof((own).output.strides));                                              \
	} while (0)

static void convolve(struct petite_call *call, const struct convolution *own)
{
	struct petite_image input = image_of(&own->input);
	struct petite_image output = image_of(&own->output);
	struct petite_conv2d_f32 params;

	check_channels(call, own, own->output.sizes[1], own->input.sizes[1]);
	petite_check_window(call, &own->window, &input, &output);
	check_steps(call, own);
	SET_PARAMS(params, *own);
	petite_call_step(call, petite_conv2d_f32_scalar, &params, sizeof(params));
}

static void convolve_transposed(struct petite_call *call, const struct convolution *own)
{
	struct petite_transpose_conv2d_f32 params;

	check_channels(call, own, own->input.sizes[1], own->output.sizes[1]);
	petite_call_require(call, own->input.sizes[0] == own->output.sizes[0]);
	SET_PARAMS(params, *own);
	petite_call_step(call, petite_transpose_conv2d_f32_scalar, &params, sizeof(params));
}

void petite_prepare_convolution(struct petite_call *call)
{
	struct convolution own;

	take(call, &own);
	if (petite_call_int(call, TRANSPOSED) != 0) {
		convolve_transposed(call, &own);
	} else {
		convolve(call, &own);
	}
}
