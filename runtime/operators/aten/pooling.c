/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/adaptive_avg_pool/adaptive_avg_pool_f32.h"
#include "../../kernels/avg_pool/avg_pool_f32.h"
#include "../../kernels/window_max/window_max.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/window.h"
#include "aten.h"

/** Most rows and columns of an adaptive pooling, whose products fit 32 bits. */
#define MOST_POOLED 32767

/** Planes that a window moves over. */
struct pooling {
	struct petite_load_tensor input;
	struct petite_window window;
	uint32_t used;
};

/** The last two dimensions of a tensor as an image; all others are planes. */
static struct petite_image planes_of(struct petite_call *call,
				     const struct petite_load_tensor *tensor)
{
	struct petite_image image = {1, 1, 1, 1};

	petite_call_require(call, (tensor->rank == 3 || tensor->rank == 4) && tensor->count > 0);
	if (!petite_call_failed(call)) {
		image.height = tensor->sizes[tensor->rank - 2];
		image.width = tensor->sizes[tensor->rank - 1];
		image.batches = tensor->count / image.height / image.width;
	}
	return image;
}

/** Fail unless two tensors have the same planes. */
static void check_planes(struct petite_call *call, const struct petite_load_tensor *input,
			 const struct petite_load_tensor *output)
{
	petite_call_require(call, input->rank == output->rank);
	for (uint32_t k = 0; k + 2 < input->rank && !petite_call_failed(call); k++) {
		petite_call_require(call, input->sizes[k] == output->sizes[k]);
	}
}

/** A pair, or one that stands for an absent one. */
static void take_pair(struct petite_call *call, uint32_t position, const int32_t *absent,
		      int32_t *pair)
{
	uint32_t count = petite_call_ints(call, position, pair, 2);

	if (count == 0) {
		pair[0] = absent[0];
		pair[1] = absent[1];
	} else if (count == 1) {
		pair[1] = pair[0];
	}
}

/** (x, kernel, stride, padding, ...): no stride is the kernel */
static void take(struct petite_call *call, struct pooling *own)
{
	static const int32_t none[2] = {0, 0};

	*own = (struct pooling){.window = {.dilation = {1, 1}}};
	petite_call_input(call, 0, 0, &own->input);
	take_pair(call, 1, none, own->window.kernel);
	take_pair(call, 2, own->window.kernel, own->window.stride);
	take_pair(call, 3, none, own->window.padding);
	petite_call_contiguous(call, &own->used, &own->input);
}

/** (x, kernel, stride, padding, ceil mode, counts padding, divisor?, output) */
void petite_prepare_avg_pool2d(struct petite_call *call)
{
	struct pooling own;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_image in;
	struct petite_image out;
	struct petite_avg_pool_f32 params;

	take(call, &own);
	petite_call_require(call, own.input.dtype == PETITE_F32);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	check_planes(call, &own.input, &output);
	in = planes_of(call, &own.input);
	out = planes_of(call, &output);
	petite_check_window(call, &own.window, &in, &out);
	petite_check_coverage(call, &own.window, &in, &out);
	target = petite_call_target(call, &own.used, &output);
	params = (struct petite_avg_pool_f32){
		.input = own.input.data,
		.output = target.data,
		.planes = in.batches,
		.input_h = in.height,
		.input_w = in.width,
		.output_h = out.height,
		.output_w = out.width,
		.kernel_h = own.window.kernel[0],
		.kernel_w = own.window.kernel[1],
		.stride_h = own.window.stride[0],
		.stride_w = own.window.stride[1],
		.pad_top = own.window.padding[0],
		.pad_left = own.window.padding[1],
		.count_include_pad = petite_call_int(call, 5) != 0,
		.divisor = petite_call_is_none(call, 6) ? 0.0f : petite_call_float(call, 6),
	};
	petite_call_step(call, petite_avg_pool_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &target, &output);
}

/** Largest pixels, or their places, to an output. */
static void find_largest(struct petite_call *call, struct pooling *own, petite_kernel kernel,
			 const struct petite_load_tensor *output)
{
	struct petite_load_tensor target;
	struct petite_image in;
	struct petite_image out;
	struct petite_window_max params;

	check_planes(call, &own->input, output);
	in = planes_of(call, &own->input);
	out = planes_of(call, output);
	petite_check_window(call, &own->window, &in, &out);
	petite_check_coverage(call, &own->window, &in, &out);
	/* Kernels also step behind the last row that they read. */
	petite_call_require(call, (int64_t)own->window.dilation[0] * in.width < INT32_MAX / 2);
	target = petite_call_target(call, &own->used, output);
	params = (struct petite_window_max){
		.input = own->input.data,
		.output = target.data,
		.planes = in.batches,
		.input_h = in.height,
		.input_w = in.width,
		.output_h = out.height,
		.output_w = out.width,
		.kernel_h = own->window.kernel[0],
		.kernel_w = own->window.kernel[1],
		.stride_h = own->window.stride[0],
		.stride_w = own->window.stride[1],
		.pad_top = own->window.padding[0],
		.pad_left = own->window.padding[1],
		.dilation_h = own->window.dilation[0],
		.dilation_w = own->window.dilation[1],
	};
	petite_call_step(call, kernel, &params, sizeof(params));
	petite_call_deliver(call, &target, output);
}

/** (x, kernel, stride, padding, dilation, ceil mode, values, places, list) */
static void max_pool(struct petite_call *call, petite_kernel value, petite_kernel place)
{
	static const int32_t one[2] = {1, 1};
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor values;
	struct petite_load_tensor places;
	struct pooling own;

	petite_call_require(call, count >= 8);
	take(call, &own);
	take_pair(call, 4, one, own.window.dilation);
	petite_call_output(call, count - 3, own.input.dtype, &values);
	petite_call_output(call, count - 2, PETITE_S64, &places);
	find_largest(call, &own, value, &values);
	find_largest(call, &own, place, &places);
}

#define DEFINE_MAX_POOL(type, types)                                                               \
	void petite_prepare_max_pool2d_##type(struct petite_call *call)                            \
	{                                                                                          \
		max_pool(call, petite_window_max_value_##type##_scalar,                            \
			 petite_window_max_place_##types##_scalar);                                \
	}

DEFINE_MAX_POOL(s8, s8_s64)
DEFINE_MAX_POOL(s16, s16_s64)
DEFINE_MAX_POOL(s32, s32_s64)
DEFINE_MAX_POOL(s64, s64)
DEFINE_MAX_POOL(u8, u8_s64)
DEFINE_MAX_POOL(f32, f32_s64)

/** (x, size, output): the output's sizes say it */
void petite_prepare_adaptive_avg_pool2d(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_image in;
	struct petite_image out;
	struct petite_adaptive_avg_pool_f32 params;
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	check_planes(call, &input, &output);
	in = planes_of(call, &input);
	out = planes_of(call, &output);
	petite_call_require(call, in.height <= MOST_POOLED && in.width <= MOST_POOLED &&
					  out.height <= MOST_POOLED && out.width <= MOST_POOLED);
	petite_call_contiguous(call, &used, &input);
	target = petite_call_target(call, &used, &output);
	params = (struct petite_adaptive_avg_pool_f32){
		.input = input.data,
		.output = target.data,
		.planes = in.batches,
		.input_h = in.height,
		.input_w = in.width,
		.output_h = out.height,
		.output_w = out.width,
	};
	petite_call_step(call, petite_adaptive_avg_pool_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &target, &output);
}
