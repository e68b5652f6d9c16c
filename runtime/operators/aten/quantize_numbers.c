/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "../../kernels/binary/binary.h"
#include "../../kernels/unary/unary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

/** Scales below have no float32 inverse. */
#define LEAST_SCALE 1e-38f
/** Zero points below are float32, and so are narrow integers minus them. */
#define EXACT (1 << 23)

/** A scale and a zero point: the second and the third argument. */
struct affine {
	float scale;
	float zero;
};

static float take_scale(struct petite_call *call)
{
	float scale = petite_call_float(call, 1);

	petite_call_require(call, scale > LEAST_SCALE && scale <= FLT_MAX);
	return scale;
}

static struct affine take_affine(struct petite_call *call)
{
	struct affine affine = {.scale = take_scale(call)};
	int32_t zero = petite_call_int(call, 2);

	petite_call_require(call, zero > -EXACT && zero < EXACT);
	affine.zero = petite_call_failed(call) ? 0.0f : (float)zero;
	return affine;
}

/** A function of a value and an element of the same type. */
static struct petite_load_tensor with_element(struct petite_call *call, uint32_t *used,
					      petite_kernel kernel,
					      const struct petite_load_tensor *value,
					      const uint8_t *bytes)
{
	struct petite_load_tensor result = petite_call_between(call, used, value->dtype, value);
	struct petite_load_tensor element;

	petite_call_element(call, value->dtype, bytes, &element);
	petite_call_binary(call, kernel, value, &element, &result);
	return result;
}

/** A function of a value and a number, in float32. */
static struct petite_load_tensor with_number(struct petite_call *call, uint32_t *used,
					     petite_kernel kernel,
					     const struct petite_load_tensor *value, float number)
{
	uint8_t bytes[8] = {0};

	petite_call_float_bytes(number, bytes);
	return with_element(call, used, kernel, value, bytes);
}

/** (x, scale, zero point, lowest, highest, dtype, output); the entry's kernel converts floats */
void petite_prepare_quantize_number(struct petite_call *call)
{
	struct affine affine = take_affine(call);
	struct petite_load_tensor value;
	struct petite_load_tensor output;
	struct petite_load_tensor rounded;
	int32_t low = petite_call_int(call, 3);
	int32_t high = petite_call_int(call, 4);
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_F32, &value);
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &output);
	petite_call_require(call, low <= high && low > -EXACT && high < EXACT);
	if (petite_call_failed(call)) {
		return;
	}
	value = with_number(call, &used, petite_binary_mul_f32_scalar, &value, 1.0f / affine.scale);
	rounded = petite_call_between(call, &used, PETITE_F32, &value);
	petite_call_unary(call, petite_unary_round_f32_scalar, &used, &value, &rounded);
	if (affine.zero != 0.0f) {
		rounded = with_number(call, &used, petite_binary_add_f32_scalar, &rounded,
				      affine.zero);
	}
	value = petite_call_between(call, &used, PETITE_F32, &rounded);
	petite_call_clamp(call, &used, (float)low, (float)high, &rounded, &value);
	petite_call_unary(call, petite_call_kernel(call), &used, &value, &output);
}

/** (x, scale, zero point, lowest, highest, dtype, dtype of the result?, output) */
void petite_prepare_dequantize_s32_number(struct petite_call *call)
{
	float scale = take_scale(call);
	int32_t zero = petite_call_int(call, 2);
	struct petite_load_tensor value;
	struct petite_load_tensor output;
	struct petite_load_tensor steps;
	struct petite_load_tensor real;
	uint8_t bytes[8] = {0};
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_S32, &value);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_require(call, petite_same_sizes(&value, &output));
	/* Not every difference is a float32. */
	if (zero != 0) {
		petite_call_long_bytes(call, zero, PETITE_S32, bytes);
		value = with_element(call, &used, petite_binary_sub_s32_scalar, &value, bytes);
	}
	steps = petite_call_between(call, &used, PETITE_F32, &value);
	petite_call_unary(call, petite_call_kernel(call), &used, &value, &steps);
	real = with_number(call, &used, petite_binary_mul_f32_scalar, &steps, scale);
	petite_call_expand(call, &real, &output);
}

/** The same for narrower integers. */
void petite_prepare_dequantize_number(struct petite_call *call)
{
	struct affine affine = take_affine(call);
	struct petite_load_tensor value;
	struct petite_load_tensor output;
	struct petite_load_tensor steps;
	struct petite_load_tensor real;
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &value);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_require(call, petite_same_sizes(&value, &output));
	steps = petite_call_between(call, &used, PETITE_F32, &value);
	petite_call_unary(call, petite_call_kernel(call), &used, &value, &steps);
	if (affine.zero != 0.0f) {
		steps = with_number(call, &used, petite_binary_sub_f32_scalar, &steps, affine.zero);
	}
	real = with_number(call, &used, petite_binary_mul_f32_scalar, &steps, affine.scale);
	petite_call_expand(call, &real, &output);
}
