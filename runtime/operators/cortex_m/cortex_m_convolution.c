/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/conv2d/conv2d_s8.h"
#include "../../kernels/depthwise_conv2d/depthwise_conv2d_s8.h"
#include "../../kernels/transpose_conv2d/transpose_conv2d_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "../common/window.h"
#include "cortex_m.h"

/* All begin with (input, weights, bias?, stride, padding, ...). Where dilation stands and the
 * numbers (input offset, output offset, multipliers, shifts, activation min, max) begin differs.
 */
enum position {
	INPUT,
	WEIGHTS,
	BIAS,
	STRIDE,
	PADDING,
};

/** What the three have in common. */
struct convolution {
	struct petite_load_tensor weights;
	struct petite_image in;
	struct petite_image out;
	struct petite_window window;
	const void *input;
	void *output;
	const int32_t *bias;
	struct petite_channel_scales scales;
	int32_t input_offset;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
};

/** The fields that the three parameter structures share, under the same names. */
/* clang-format off */
#define FIELDS(c) \
	.input = (c).input, \
	.weights = (c).weights.data, \
	.bias = (c).bias, \
	.multiplier = (c).scales.multiplier, \
	.shift = (c).scales.shift, \
	.output = (c).output, \
	.batches = (c).in.batches, \
	.input_h = (c).in.height, \
	.input_w = (c).in.width, \
	.input_c = (c).in.channels, \
	.output_h = (c).out.height, \
	.output_w = (c).out.width, \
	.output_c = (c).out.channels, \
	.kernel_h = (c).window.kernel[0], \
	.kernel_w = (c).window.kernel[1], \
	.stride_h = (c).window.stride[0], \
	.stride_w = (c).window.stride[1], \
	.dilation_h = (c).window.dilation[0], \
	.dilation_w = (c).window.dilation[1], \
	.pad_top = (c).window.padding[0], \
	.pad_left = (c).window.padding[1], \
	.input_offset = (c).input_offset, \
	.output_offset = (c).output_offset, \
	.activation_min = (c).activation_min, \
	.activation_max = (c).activation_max
/* clang-format on */

static void take(struct petite_call *call, bool is_nhwc, uint32_t dilation, uint32_t numbers,
		 struct convolution *c)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, INPUT, PETITE_S8, &input);
	petite_call_constant(call, WEIGHTS, PETITE_S8, &c->weights);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	c->in = petite_image_of(call, &input, is_nhwc);
	c->out = petite_image_of(call, &output, is_nhwc);
	c->input = input.data;
	c->output = output.data;
	petite_call_require(call, c->weights.rank == 4 && petite_is_contiguous(&c->weights));
	c->window.kernel[0] = c->weights.sizes[1];
	c->window.kernel[1] = c->weights.sizes[2];
	petite_call_pair(call, STRIDE, 1, c->window.stride);
	petite_call_pair(call, PADDING, 0, c->window.padding);
	petite_call_pair(call, dilation, 1, c->window.dilation);
	c->bias = petite_call_bias(call, BIAS, c->out.channels);
	c->input_offset = petite_call_offset(call, numbers);
	c->output_offset = petite_call_offset(call, numbers + 1);
	c->scales = petite_call_scales(call, numbers + 2, numbers + 3, c->out.channels);
	c->activation_min = petite_call_int8(call, numbers + 4);
	c->activation_max = petite_call_int8(call, numbers + 5);
}

/** (input, weights [out][h][w][in / groups], bias?, stride, padding, dilation, numbers, scratch) */
static void prepare_conv2d(struct petite_call *call, bool is_nhwc)
{
	struct convolution c;
	struct petite_conv2d_s8 params;
	int32_t group;
	int32_t groups;
	bool is_simple;

	take(call, is_nhwc, 5, 6, &c);
	petite_check_window(call, &c.window, &c.in, &c.out);
	group = c.weights.sizes[3];
	petite_call_require(call, group >= 1 && c.weights.sizes[0] == c.out.channels);
	if (petite_call_failed(call)) {
		return;
	}
	groups = c.in.channels / group;
	petite_call_require(call, groups >= 1 && groups * group == c.in.channels &&
					  c.out.channels % groups == 0);
	params = (struct petite_conv2d_s8){
		FIELDS(c),
		.groups = groups,
	};
	/* What a table's kernel takes, whichever it is. */
	is_simple = groups == 1 && params.dilation_w == 1;
	petite_call_step(call, is_simple ? petite_call_kernel(call) : petite_conv2d_s8_scalar,
			 &params, sizeof(params));
}

/** (input, weights [1][h][w][out], bias?, stride, padding, dilation, multiplier, numbers, scratch)
 */
static void prepare_depthwise(struct petite_call *call, bool is_nhwc)
{
	struct convolution c;
	struct petite_depthwise_conv2d_s8 params;
	bool is_simple;

	take(call, is_nhwc, 5, 7, &c);
	petite_check_window(call, &c.window, &c.in, &c.out);
	petite_call_require(call, c.weights.sizes[0] == 1 && c.weights.sizes[3] == c.out.channels &&
					  c.out.channels % c.in.channels == 0);
	params = (struct petite_depthwise_conv2d_s8){
		FIELDS(c),
	};
	/* What a table's kernel takes, whichever it is. */
	is_simple = c.input_offset >= -256 && c.input_offset < 256;
	petite_call_step(call,
			 is_simple ? petite_call_kernel(call) : petite_depthwise_conv2d_s8_scalar,
			 &params, sizeof(params));
}

/** (input, weights [out][h][w][in], bias?, stride, padding, output_padding, dilation, numbers, ...)
 */
static void prepare_transposed(struct petite_call *call, bool is_nhwc)
{
	struct convolution c;
	struct petite_transpose_conv2d_s8 params;
	struct petite_window window;

	take(call, is_nhwc, 6, 7, &c);
	/* Here the windows of the kernel move over the output. */
	window = c.window;
	petite_check_window(call, &window, &c.out, &c.in);
	petite_call_require(call, c.weights.sizes[0] == c.out.channels &&
					  c.weights.sizes[3] == c.in.channels);
	params = (struct petite_transpose_conv2d_s8){
		FIELDS(c),
	};
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}

void petite_prepare_quantized_conv2d(struct petite_call *call)
{
	prepare_conv2d(call, false);
}

void petite_prepare_quantized_conv2d_nhwc(struct petite_call *call)
{
	prepare_conv2d(call, true);
}

void petite_prepare_quantized_depthwise_conv2d(struct petite_call *call)
{
	prepare_depthwise(call, false);
}

void petite_prepare_quantized_depthwise_conv2d_nhwc(struct petite_call *call)
{
	prepare_depthwise(call, true);
}

void petite_prepare_quantized_transpose_conv2d(struct petite_call *call)
{
	prepare_transposed(call, false);
}

void petite_prepare_quantized_transpose_conv2d_nhwc(struct petite_call *call)
{
	prepare_transposed(call, true);
}
