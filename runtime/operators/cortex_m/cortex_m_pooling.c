/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/avg_pool/avg_pool_s8.h"
#include "../../kernels/max_pool/max_pool_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "../common/window.h"
#include "cortex_m.h"

/** Positions whose sum the DSP kernel holds in 16 bits, and which any holds in 32. */
#define DSP_POSITIONS 256
#define MOST_POSITIONS (1 << 24)

struct pooling {
	struct petite_image in;
	struct petite_image out;
	struct petite_window window;
	const void *input;
	void *output;
};

/** The fields that both parameter structures have, under the same names. */
/* clang-format off */
#define FIELDS(p) \
	.input = (p).input, \
	.output = (p).output, \
	.batches = (p).in.batches, \
	.input_h = (p).in.height, \
	.input_w = (p).in.width, \
	.channels = (p).in.channels, \
	.output_h = (p).out.height, \
	.output_w = (p).out.width, \
	.kernel_h = (p).window.kernel[0], \
	.kernel_w = (p).window.kernel[1], \
	.stride_h = (p).window.stride[0], \
	.stride_w = (p).window.stride[1], \
	.pad_top = (p).window.padding[0], \
	.pad_left = (p).window.padding[1]
/* clang-format on */

/** Both begin with (input, kernel, stride, padding, ...). */
static void take(struct petite_call *call, bool is_nhwc, struct pooling *p)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 0, PETITE_S8, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_S8, &output);
	p->in = petite_image_of(call, &input, is_nhwc);
	p->out = petite_image_of(call, &output, is_nhwc);
	p->input = input.data;
	p->output = output.data;
	petite_call_pair(call, 1, 1, p->window.kernel);
	petite_call_pair(call, 2, 1, p->window.stride);
	petite_call_pair(call, 3, 0, p->window.padding);
	p->window.dilation[0] = 1;
	p->window.dilation[1] = 1;
	petite_call_require(call, p->in.channels == p->out.channels);
}

/** (input, kernel, stride, padding, ceil_mode, zero_point, multiplier, shift, scratch, output) */
static void prepare_average(struct petite_call *call, bool is_nhwc)
{
	struct pooling p;
	struct petite_avg_pool_s8 params;
	int32_t below;
	int32_t right;
	int64_t positions;

	take(call, is_nhwc, &p);
	petite_check_window(call, &p.window, &p.in, &p.out);
	positions = (int64_t)p.window.kernel[0] * p.window.kernel[1];
	petite_call_require(call, positions < MOST_POSITIONS);
	petite_implied_padding(&p.window, &p.in, &p.out, &below, &right);
	params = (struct petite_avg_pool_s8){
		FIELDS(p),
		.pad_bottom = below,
		.pad_right = right,
		.pad_value = petite_call_int8(call, 5),
		.activation_min = INT8_MIN,
		.activation_max = INT8_MAX,
	};
	petite_call_step(call,
			 positions <= DSP_POSITIONS ? petite_call_kernel(call)
						    : petite_avg_pool_s8_scalar,
			 &params, sizeof(params));
}

/** (input, kernel, stride, padding, dilation, ceil_mode, zero points x2, activation min, max,
 * output)
 */
static void prepare_maximum(struct petite_call *call, bool is_nhwc)
{
	struct pooling p;
	struct petite_max_pool_s8 params;

	take(call, is_nhwc, &p);
	petite_call_pair(call, 4, 1, p.window.dilation);
	petite_check_window(call, &p.window, &p.in, &p.out);
	params = (struct petite_max_pool_s8){
		FIELDS(p),
		.dilation_h = p.window.dilation[0],
		.dilation_w = p.window.dilation[1],
		.activation_min = petite_call_int8(call, 8),
		.activation_max = petite_call_int8(call, 9),
	};
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
}

void petite_prepare_quantized_avg_pool2d(struct petite_call *call)
{
	prepare_average(call, false);
}

void petite_prepare_quantized_avg_pool2d_nhwc(struct petite_call *call)
{
	prepare_average(call, true);
}

void petite_prepare_quantized_max_pool2d(struct petite_call *call)
{
	prepare_maximum(call, false);
}

void petite_prepare_quantized_max_pool2d_nhwc(struct petite_call *call)
{
	prepare_maximum(call, true);
}
