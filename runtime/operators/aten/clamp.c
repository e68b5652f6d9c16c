/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/binary/binary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/real.h"
#include "aten.h"

static void take(struct petite_call *call, struct petite_load_tensor *input,
		 struct petite_load_tensor *output)
{
	petite_call_input(call, 0, 0, input);
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, output);
}

/** A bound; infinite where it is absent. */
static float bound_of(struct petite_call *call, uint32_t position, float absent)
{
	return petite_call_is_none(call, position) ? absent : petite_call_float(call, position);
}

/** (x, low?, high?, output) of float32 */
void petite_prepare_clamp_f32(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;

	take(call, &input, &output);
	petite_call_clamp(call, &used, bound_of(call, 1, -PETITE_INFINITY),
			  bound_of(call, 2, PETITE_INFINITY), &input, &output);
}

/** (x, low?, high?, output) of integers, whose bounds have fractions */
void petite_prepare_clamp_as_f32(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;

	take(call, &input, &output);
	petite_call_as(call, &used, PETITE_F32, petite_casts_to_f32, &input);
	petite_call_clamp(call, &used, bound_of(call, 1, -PETITE_INFINITY),
			  bound_of(call, 2, PETITE_INFINITY), &input, &output);
}

/** (x, output) of float32 */
void petite_prepare_relu_f32(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;

	take(call, &input, &output);
	petite_call_clamp(call, &used, 0.0f, PETITE_INFINITY, &input, &output);
}

/** (x, output) of integers: the entry's kernel gives the larger of two */
void petite_prepare_relu(struct petite_call *call)
{
	static const uint8_t zero[8] = {0};
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor element;

	take(call, &input, &output);
	petite_call_require(call, input.dtype == output.dtype);
	petite_call_element(call, input.dtype, zero, &element);
	petite_call_binary(call, petite_call_kernel(call), &input, &element, &output);
}

/** The kernels of one element type, and how others become it. */
struct limits {
	uint8_t dtype;
	const petite_kernel *casts;
	petite_kernel max;
	petite_kernel min;
};

/** Bounds that are numbers or tensors: (x, low?, high?, output). NaN stays, and wins. */
static void clamp(struct petite_call *call, const struct limits *limits)
{
	struct petite_load_tensor value;
	struct petite_load_tensor output;
	struct petite_load_tensor bounds[2];
	uint32_t used = 0;
	bool has_low = !petite_call_is_none(call, 1);
	bool has_high = !petite_call_is_none(call, 2);

	petite_call_input(call, 0, 0, &value);
	if (has_low) {
		petite_call_operand(call, 1, limits->dtype, &bounds[0]);
		petite_call_as(call, &used, limits->dtype, limits->casts, &bounds[0]);
	}
	if (has_high) {
		petite_call_operand(call, 2, limits->dtype, &bounds[1]);
		petite_call_as(call, &used, limits->dtype, limits->casts, &bounds[1]);
	}
	petite_call_output(call, petite_call_argument_count(call) - 1, limits->dtype, &output);
	petite_call_as(call, &used, limits->dtype, limits->casts, &value);
	petite_call_require(call, has_low || has_high);
	if (has_low) {
		struct petite_load_tensor raised = output;

		if (has_high) {
			raised = petite_call_between(call, &used, limits->dtype, &output);
		}
		petite_call_binary(call, limits->max, &value, &bounds[0], &raised);
		value = raised;
	}
	if (has_high) {
		petite_call_binary(call, limits->min, &value, &bounds[1], &output);
	}
}

#define DEFINE_CLAMP(name, type, TYPE)                                                             \
	void petite_prepare_##name(struct petite_call *call)                                       \
	{                                                                                          \
		static const struct limits limits = {TYPE, petite_casts_to_##type,                 \
						     petite_binary_max_##type##_scalar,            \
						     petite_binary_min_##type##_scalar};           \
                                                                                                   \
		clamp(call, &limits);                                                              \
	}

DEFINE_CLAMP(clamp_s8, s8, PETITE_S8)
DEFINE_CLAMP(clamp_s16, s16, PETITE_S16)
DEFINE_CLAMP(clamp_s32, s32, PETITE_S32)
DEFINE_CLAMP(clamp_s64, s64, PETITE_S64)
DEFINE_CLAMP(clamp_u8, u8, PETITE_U8)
DEFINE_CLAMP(clamp_tensor_f32, f32, PETITE_F32)
