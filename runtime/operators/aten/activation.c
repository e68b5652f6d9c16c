/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "../../kernels/binary/binary.h"
#include "../../kernels/unary/unary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

/** An activation of float32 that is put together from other functions. */
struct activation {
	struct petite_call *call;
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used;
};

static void begin(struct petite_call *call, struct activation *activation)
{
	activation->call = call;
	activation->used = 0;
	petite_call_input(call, 0, PETITE_F32, &activation->input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32,
			   &activation->output);
	petite_call_require(call, petite_same_sizes(&activation->input, &activation->output));
}

static struct petite_load_tensor between(struct activation *activation, uint8_t dtype)
{
	return petite_call_between(activation->call, &activation->used, dtype, &activation->output);
}

/** A function of a value and a number, into a target. */
static void with_number(struct activation *activation, petite_kernel kernel,
			const struct petite_load_tensor *value, float number,
			const struct petite_load_tensor *target)
{
	struct petite_load_tensor element;
	uint8_t bytes[8] = {0};

	petite_call_float_bytes(number, bytes);
	petite_call_element(activation->call, PETITE_F32, bytes, &element);
	petite_call_binary(activation->call, kernel, value, &element, target);
}

/** A value times a number; itself where that is 1. */
static struct petite_load_tensor times(struct activation *activation,
				       const struct petite_load_tensor *value, float factor)
{
	struct petite_load_tensor product = *value;

	if (factor != 1.0f) {
		product = between(activation, PETITE_F32);
		with_number(activation, petite_binary_mul_f32_scalar, value, factor, &product);
	}
	return product;
}

/** min(max(x + 3, 0), 6) */
static struct petite_load_tensor relu6_of_plus_3(struct activation *activation)
{
	struct petite_load_tensor moved = between(activation, PETITE_F32);
	struct petite_load_tensor limited = between(activation, PETITE_F32);

	with_number(activation, petite_binary_add_f32_scalar, &activation->input, 3.0f, &moved);
	petite_call_clamp(activation->call, &activation->used, 0.0f, 6.0f, &moved, &limited);
	return limited;
}

/** (x, output): min(max(x + 3, 0), 6) / 6 */
void petite_prepare_hardsigmoid(struct petite_call *call)
{
	struct activation activation;
	struct petite_load_tensor limited;

	begin(call, &activation);
	limited = relu6_of_plus_3(&activation);
	with_number(&activation, petite_binary_div_f32_scalar, &limited, 6.0f, &activation.output);
}

/** (x, output): x * min(max(x + 3, 0), 6) / 6 */
void petite_prepare_hardswish(struct petite_call *call)
{
	struct activation activation;
	struct petite_load_tensor limited;
	struct petite_load_tensor product;

	begin(call, &activation);
	limited = relu6_of_plus_3(&activation);
	product = between(&activation, PETITE_F32);
	petite_call_binary(call, petite_binary_mul_f32_scalar, &activation.input, &limited,
			   &product);
	with_number(&activation, petite_binary_div_f32_scalar, &product, 6.0f, &activation.output);
}

/** (x, slope, output): x where it is not negative, else slope * x */
void petite_prepare_leaky_relu(struct petite_call *call)
{
	float slope = petite_call_float(call, 1);
	struct activation activation;
	struct petite_load_tensor scaled;
	struct petite_load_tensor negative;

	begin(call, &activation);
	scaled = times(&activation, &activation.input, slope);
	if (slope > 0.0f && slope <= 1.0f) {
		/* Of the two the larger one is right, and NaN stays. */
		petite_call_binary(call, petite_binary_max_f32_scalar, &activation.input, &scaled,
				   &activation.output);
		return;
	}
	negative = between(&activation, PETITE_BOOL);
	with_number(&activation, petite_binary_lt_f32_bool_scalar, &activation.input, 0.0f,
		    &negative);
	petite_call_where(call, &negative, &scaled, &activation.input, &activation.output);
}

/** (x, alpha, scale, input scale, output): scale * x above zero, else alpha * scale * expm1(...) */
void petite_prepare_elu(struct petite_call *call)
{
	float alpha = petite_call_float(call, 1);
	float scale = petite_call_float(call, 2);
	struct activation activation;
	struct petite_load_tensor inside;
	struct petite_load_tensor power;
	struct petite_load_tensor below;
	struct petite_load_tensor above;
	struct petite_load_tensor negative;

	begin(call, &activation);
	inside = times(&activation, &activation.input, petite_call_float(call, 3));
	power = between(&activation, PETITE_F32);
	petite_call_unary(call, petite_unary_expm1_f32_scalar, &activation.used, &inside, &power);
	below = times(&activation, &power, alpha * scale);
	above = times(&activation, &activation.input, scale);
	negative = between(&activation, PETITE_BOOL);
	with_number(&activation, petite_binary_le_f32_bool_scalar, &activation.input, 0.0f,
		    &negative);
	petite_call_where(call, &negative, &below, &above, &activation.output);
}

/** (x, epsilon?, output): log(x / (1 - x)), of x limited to epsilon and 1 - epsilon */
void petite_prepare_logit(struct petite_call *call)
{
	struct activation activation = {.call = call};
	struct petite_load_tensor value;
	struct petite_load_tensor rest;
	struct petite_load_tensor ratio;
	struct petite_load_tensor one;
	static const uint8_t one_bytes[8] = {0, 0, 0x80, 0x3f};

	petite_call_input(call, 0, 0, &value);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32,
			   &activation.output);
	petite_call_as(call, &activation.used, PETITE_F32, petite_casts_to_f32, &value);
	if (!petite_call_is_none(call, 1)) {
		struct petite_load_tensor limited = between(&activation, PETITE_F32);
		double epsilon = petite_call_number(call, 1);

		petite_call_require(call, epsilon >= -1.0 && epsilon <= 1.0);
		if (petite_call_failed(call)) {
			return;
		}
		petite_call_clamp(call, &activation.used, (float)epsilon, (float)(1.0 - epsilon),
				  &value, &limited);
		value = limited;
	}
	petite_call_element(call, PETITE_F32, one_bytes, &one);
	rest = between(&activation, PETITE_F32);
	ratio = between(&activation, PETITE_F32);
	petite_call_binary(call, petite_binary_sub_f32_scalar, &one, &value, &rest);
	petite_call_binary(call, petite_binary_div_f32_scalar, &value, &rest, &ratio);
	petite_call_unary(call, petite_unary_log_f32_scalar, &activation.used, &ratio,
			  &activation.output);
}

/** (x, dim, output): the first half times the sigmoid of the second */
void petite_prepare_glu(struct petite_call *call)
{
	struct activation activation = {.call = call};
	int32_t strides[PETITE_LOAD_RANK] = {0};
	struct petite_load_tensor input;
	struct petite_load_tensor halves[2];
	struct petite_load_tensor sigmoid;
	uint32_t dimension;

	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32,
			   &activation.output);
	dimension = petite_call_dimension(call, 1, input.rank);
	petite_call_require(call, input.rank >= 1 && input.rank == activation.output.rank);
	for (uint32_t k = 0; k < input.rank && !petite_call_failed(call); k++) {
		petite_call_require(call, (int64_t)activation.output.sizes[k] *
							  (k == dimension ? 2 : 1) ==
						  input.sizes[k]);
	}
	if (petite_call_failed(call)) {
		return;
	}
	petite_strides_of(&input, strides);
	for (int32_t k = 0; k < 2; k++) {
		struct petite_walk walk = petite_walk_over(
			call, &activation.output,
			k * activation.output.sizes[dimension] * strides[dimension], strides);

		halves[k] = between(&activation, PETITE_F32);
		petite_call_walk(call, &input, &halves[k], &walk);
	}
	sigmoid = between(&activation, PETITE_F32);
	petite_call_unary(call, petite_unary_sigmoid_f32_scalar, &activation.used, &halves[1],
			  &sigmoid);
	petite_call_binary(call, petite_binary_mul_f32_scalar, &halves[0], &sigmoid,
			   &activation.output);
}
