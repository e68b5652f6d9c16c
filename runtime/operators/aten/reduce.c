/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "../../kernels/cumsum/cumsum.h"
#include "../../kernels/reduce/reduce.h"
#include "../../kernels/unary/unary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/reduction.h"
#include "aten.h"

/** One output, of one input. */
struct reduction {
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t dimensions;
	uint32_t used;
};

static void take(struct petite_call *call, struct reduction *reduction)
{
	*reduction = (struct reduction){0};
	petite_call_input(call, 0, 0, &reduction->input);
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &reduction->output);
	reduction->dimensions = petite_all_dimensions(reduction->input.rank);
}

/** The same, with dimensions as the second argument. */
static void take_with_dimensions(struct petite_call *call, struct reduction *reduction)
{
	take(call, reduction);
	reduction->dimensions = petite_call_dimensions(call, 1, reduction->input.rank);
}

static int32_t count_of(const struct reduction *reduction)
{
	return petite_count_along(&reduction->input, reduction->dimensions);
}

/** A total or a mean: of nothing too. */
static void total(struct petite_call *call, struct reduction *reduction)
{
	petite_call_reduce(call, petite_call_kernel(call), &reduction->used, &reduction->input,
			   reduction->dimensions, &reduction->output, (float)count_of(reduction));
}

/** (x, dims?, ..., output): sums, products; the entry's kernel is for both types */
void petite_prepare_total(struct petite_call *call)
{
	struct reduction reduction;

	take_with_dimensions(call, &reduction);
	total(call, &reduction);
}

/** (x, ..., output) of all dimensions */
void petite_prepare_total_of_all(struct petite_call *call)
{
	struct reduction reduction;

	take(call, &reduction);
	total(call, &reduction);
}

/** The same, with inputs that are converted: to float32, as means are too, or to int64. */
void petite_prepare_total_as_f32(struct petite_call *call)
{
	struct reduction reduction;

	take_with_dimensions(call, &reduction);
	petite_call_as(call, &reduction.used, PETITE_F32, petite_casts_to_f32, &reduction.input);
	total(call, &reduction);
}

void petite_prepare_total_of_all_as_f32(struct petite_call *call)
{
	struct reduction reduction;

	take(call, &reduction);
	petite_call_as(call, &reduction.used, PETITE_F32, petite_casts_to_f32, &reduction.input);
	total(call, &reduction);
}

void petite_prepare_total_as_s64(struct petite_call *call)
{
	struct reduction reduction;

	take_with_dimensions(call, &reduction);
	petite_call_as(call, &reduction.used, PETITE_S64, petite_casts_to_s64, &reduction.input);
	total(call, &reduction);
}

void petite_prepare_total_of_all_as_s64(struct petite_call *call)
{
	struct reduction reduction;

	take(call, &reduction);
	petite_call_as(call, &reduction.used, PETITE_S64, petite_casts_to_s64, &reduction.input);
	total(call, &reduction);
}

/** Sums in int64 that become another type of integers. */
static void narrowed(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct reduction reduction;
	struct petite_load_tensor sum;

	take_with_dimensions(call, &reduction);
	petite_call_require(call, reduction.output.dtype == dtype);
	sum = petite_call_between(call, &reduction.used, PETITE_S64, &reduction.output);
	petite_call_reduce(call, petite_call_kernel(call), &reduction.used, &reduction.input,
			   reduction.dimensions, &sum, 1.0f);
	petite_call_unary(call, casts[PETITE_S64], &reduction.used, &sum, &reduction.output);
}

/** An extreme, or its place: nothing has none. */
static void extreme(struct petite_call *call, struct reduction *reduction)
{
	petite_call_require(call, count_of(reduction) > 0);
	total(call, reduction);
}

/** (x, dims?, keepdim, output): amax, argmax and their like */
void petite_prepare_extreme(struct petite_call *call)
{
	struct reduction reduction;

	take_with_dimensions(call, &reduction);
	extreme(call, &reduction);
}

/** (x, output) */
void petite_prepare_extreme_of_all(struct petite_call *call)
{
	struct reduction reduction;

	take(call, &reduction);
	extreme(call, &reduction);
}

/** (x, dim, keepdim, values, places, list) */
static void extreme_and_place(struct petite_call *call, petite_kernel value, petite_kernel place)
{
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor input;
	struct petite_load_tensor values;
	struct petite_load_tensor places;
	uint32_t dimensions;
	uint32_t used = 0;

	petite_call_require(call, count >= 5);
	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, count - 3, input.dtype, &values);
	petite_call_output(call, count - 2, PETITE_S64, &places);
	dimensions = petite_call_dimensions(call, 1, input.rank);
	petite_call_require(call, petite_count_along(&input, dimensions) > 0);
	petite_call_reduce(call, value, &used, &input, dimensions, &values, 1.0f);
	petite_call_reduce(call, place, &used, &input, dimensions, &places, 1.0f);
}

#define DEFINE_EXTREMES(type, types)                                                               \
	void petite_prepare_max_dim_##type(struct petite_call *call)                               \
	{                                                                                          \
		extreme_and_place(call, petite_reduce_max_##type##_scalar,                         \
				  petite_reduce_argmax_##types##_scalar);                          \
	}                                                                                          \
	void petite_prepare_min_dim_##type(struct petite_call *call)                               \
	{                                                                                          \
		extreme_and_place(call, petite_reduce_min_##type##_scalar,                         \
				  petite_reduce_argmin_##types##_scalar);                          \
	}

DEFINE_EXTREMES(s8, s8_s64)
DEFINE_EXTREMES(s16, s16_s64)
DEFINE_EXTREMES(s32, s32_s64)
DEFINE_EXTREMES(s64, s64)
DEFINE_EXTREMES(u8, u8_s64)
DEFINE_EXTREMES(f32, f32_s64)
DEFINE_EXTREMES(bool, bool_s64)

/** Whether an element along dimensions is not zero. */
static void any(struct petite_call *call, struct reduction *reduction)
{
	static const uint8_t no[8] = {0};
	struct petite_load_tensor element;

	petite_call_as(call, &reduction->used, PETITE_BOOL, petite_casts_to_bool,
		       &reduction->input);
	/* Of uint8 the result is 0 or 1 in uint8: the same bytes. */
	reduction->output.dtype = PETITE_BOOL;
	if (count_of(reduction) > 0) {
		petite_call_reduce(call, petite_reduce_max_bool_scalar, &reduction->used,
				   &reduction->input, reduction->dimensions, &reduction->output,
				   1.0f);
		return;
	}
	petite_call_element(call, PETITE_BOOL, no, &element);
	petite_call_expand(call, &element, &reduction->output);
}

/** (x, dim or dims, keepdim, output). An empty list of dimensions reduces nothing. */
void petite_prepare_any(struct petite_call *call)
{
	struct reduction reduction;
	int32_t given[PETITE_LOAD_RANK];

	take_with_dimensions(call, &reduction);
	if (!petite_call_is_none(call, 1) && petite_call_number_type(call, 1) == 0 &&
	    petite_call_ints(call, 1, given, PETITE_LOAD_RANK) == 0) {
		petite_call_as(call, &reduction.used, PETITE_BOOL, petite_casts_to_bool,
			       &reduction.input);
		reduction.output.dtype = PETITE_BOOL;
		petite_call_require(call, petite_same_sizes(&reduction.input, &reduction.output));
		petite_call_expand(call, &reduction.input, &reduction.output);
		return;
	}
	any(call, &reduction);
}

/** (x, output) */
void petite_prepare_any_of_all(struct petite_call *call)
{
	struct reduction reduction;

	take(call, &reduction);
	any(call, &reduction);
}

/** What is subtracted from the number of elements before a variance is divided by it. */
static double correction_of(struct petite_call *call, uint32_t position)
{
	return petite_call_is_none(call, position) ? 1.0 : petite_call_number(call, position);
}

/** (x, dims?, unbiased or correction?, keepdim, output) */
void petite_prepare_var(struct petite_call *call)
{
	struct reduction reduction;

	take_with_dimensions(call, &reduction);
	petite_call_reduce(call, petite_call_kernel(call), &reduction.used, &reduction.input,
			   reduction.dimensions, &reduction.output,
			   petite_variance_divisor(count_of(&reduction), correction_of(call, 2)));
}

/** (x, dims?, correction?, keepdim, variance, mean, list) */
void petite_prepare_var_mean(struct petite_call *call)
{
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor input;
	struct petite_load_tensor variance;
	struct petite_load_tensor mean;
	uint32_t dimensions;
	uint32_t used = 0;
	int32_t number;

	petite_call_require(call, count >= 6);
	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, count - 3, PETITE_F32, &variance);
	petite_call_output(call, count - 2, PETITE_F32, &mean);
	dimensions = petite_call_dimensions(call, 1, input.rank);
	number = petite_count_along(&input, dimensions);
	petite_call_reduce(call, petite_reduce_var_f32_scalar, &used, &input, dimensions, &variance,
			   petite_variance_divisor(number, correction_of(call, 2)));
	petite_call_reduce(call, petite_reduce_mean_f32_scalar, &used, &input, dimensions, &mean,
			   (float)number);
}

/** Sums of everything so far along the call's dimension, of an input in the output's type. */
static void cumsum(struct petite_call *call, uint32_t *used, struct petite_load_tensor input,
		   const struct petite_load_tensor *wanted)
{
	struct petite_load_tensor output = *wanted;
	struct petite_load_tensor target;
	struct petite_cumsum params = {.outer = 1, .length = 1, .inner = 1};
	uint32_t dimension = petite_call_dimension(call, 1, input.rank);

	petite_call_require(call, petite_same_sizes(&input, &output));
	petite_call_contiguous(call, used, &input);
	target = petite_call_target(call, used, &output);
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	for (uint32_t k = 0; k < input.rank; k++) {
		if (k < dimension) {
			params.outer *= input.sizes[k];
		} else if (k > dimension) {
			params.inner *= input.sizes[k];
		} else {
			params.length = input.sizes[k];
		}
	}
	params.input = input.data;
	params.output = target.data;
	petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));
	petite_call_deliver(call, &target, &output);
}

/** (x, dim, dtype?, output): computed in float32, or in int64 */
static void cumsum_as(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, dtype, &output);
	petite_call_as(call, &used, dtype, casts, &input);
	cumsum(call, &used, input, &output);
}

void petite_prepare_cumsum_f32(struct petite_call *call)
{
	cumsum_as(call, PETITE_F32, petite_casts_to_f32);
}

void petite_prepare_cumsum_s64(struct petite_call *call)
{
	cumsum_as(call, PETITE_S64, petite_casts_to_s64);
}

/** The same in int64, which becomes another type of integers. */
static void cumsum_narrowed(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor sums;
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, dtype, &output);
	petite_call_as(call, &used, PETITE_S64, petite_casts_to_s64, &input);
	sums = petite_call_between(call, &used, PETITE_S64, &output);
	cumsum(call, &used, input, &sums);
	petite_call_unary(call, casts[PETITE_S64], &used, &sums, &output);
}

#define DEFINE_NARROWED(type, TYPE)                                                                \
	void petite_prepare_total_to_##type(struct petite_call *call)                              \
	{                                                                                          \
		narrowed(call, TYPE, petite_casts_to_##type);                                      \
	}                                                                                          \
	void petite_prepare_cumsum_to_##type(struct petite_call *call)                             \
	{                                                                                          \
		cumsum_narrowed(call, TYPE, petite_casts_to_##type);                               \
	}

DEFINE_NARROWED(s8, PETITE_S8)
DEFINE_NARROWED(s16, PETITE_S16)
DEFINE_NARROWED(s32, PETITE_S32)
DEFINE_NARROWED(u8, PETITE_U8)
