/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/binary/binary.h"
#include "../common/elementwise.h"
#include "../common/movement.h"
#include "aten.h"

/** Two operands, tensors or numbers, in the element type of the computation, and the output. */
struct operands {
	struct petite_load_tensor first;
	struct petite_load_tensor second;
	struct petite_load_tensor output;
	uint32_t used;
};

/**
 * The element type in which PyTorch computes with an operand, beside one of another type. A number
 * changes that only where its kind (bool, integer, with a fraction) is larger.
 */
static uint8_t promote_operand(struct petite_call *call, uint32_t position, uint8_t other)
{
	struct petite_load_tensor tensor;
	uint8_t number = petite_call_number_type(call, position);

	if (number == 0) {
		petite_call_tensor(call, position, &tensor);
		return other == 0 ? tensor.dtype : petite_promote(tensor.dtype, other);
	}
	return number == PETITE_F32 || other == PETITE_BOOL ? number : other;
}

/** The element type in which PyTorch computes with both. */
static uint8_t common_type(struct petite_call *call)
{
	uint32_t number = petite_call_is_tensor(call, 0) ? 1 : 0;

	return promote_operand(call, number, promote_operand(call, 1 - number, 0));
}

static void take(struct petite_call *call, uint8_t dtype, petite_casts casts,
		 struct operands *operands)
{
	operands->used = 0;
	petite_call_operand(call, 0, dtype, &operands->first);
	petite_call_operand(call, 1, dtype, &operands->second);
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &operands->output);
	petite_call_as(call, &operands->used, dtype, casts, &operands->first);
	petite_call_as(call, &operands->used, dtype, casts, &operands->second);
}

/** Fail unless PyTorch computes in a type. */
static void check_type(struct petite_call *call, uint8_t dtype)
{
	petite_call_require(call, common_type(call) == dtype);
}

static void binary(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct operands operands;

	take(call, dtype, casts, &operands);
	petite_call_binary(call, petite_call_kernel(call), &operands.first, &operands.second,
			   &operands.output);
}

/** Whether an int64 is the same in float32, and with it all comparisons with integers are. */
static bool is_exact(double value)
{
	return value > -0x1p24 && value < 0x1p24 && value == (double)(int32_t)value;
}

/**
 * Fail unless two operands compare as they do in a type. Where PyTorch promotes them because one is
 * a number, that makes no difference to some: to 0 and 1 beside bools, to small whole numbers
 * beside integers.
 */
static void check_comparison(struct petite_call *call, uint8_t dtype)
{
	uint8_t number = petite_call_number_type(call, 1);
	double value = number == 0 ? 0.0 : petite_call_number(call, 1);

	if (number == 0 || dtype == PETITE_F32) {
		check_type(call, dtype);
	} else if (dtype == PETITE_BOOL) {
		petite_call_require(call, value == 0.0 || value == 1.0);
	} else {
		petite_call_require(call, number != PETITE_F32 || is_exact(value));
	}
}

/** Multiply a tensor by the call's third argument, alpha. */
static void scale(struct petite_call *call, petite_kernel multiply, uint32_t *used,
		  struct petite_load_tensor *tensor)
{
	struct petite_load_tensor alpha;
	struct petite_load_tensor product;

	if (petite_call_number(call, 2) == 1.0) {
		return;
	}
	petite_call_operand(call, 2, tensor->dtype, &alpha);
	petite_call_require(call, alpha.dtype == tensor->dtype);
	product = petite_call_between(call, used, tensor->dtype, tensor);
	petite_call_binary(call, multiply, tensor, &alpha, &product);
	*tensor = product;
}

static void add(struct petite_call *call, uint8_t dtype, petite_casts casts, petite_kernel multiply)
{
	struct operands operands;

	check_type(call, dtype);
	take(call, dtype, casts, &operands);
	scale(call, multiply, &operands.used, &operands.second);
	petite_call_binary(call, petite_call_kernel(call), &operands.first, &operands.second,
			   &operands.output);
}

static void rsub(struct petite_call *call, uint8_t dtype, petite_casts casts,
		 petite_kernel multiply)
{
	struct operands operands;

	check_type(call, dtype);
	take(call, dtype, casts, &operands);
	scale(call, multiply, &operands.used, &operands.first);
	petite_call_binary(call, petite_call_kernel(call), &operands.second, &operands.first,
			   &operands.output);
}

/** The kernels of one element type that divide; `exact` is NULL where there is none. */
struct divisions {
	petite_kernel truncate;
	petite_kernel floor;
	petite_kernel exact;
};

static petite_kernel division_of(struct petite_call *call, const struct divisions *divisions)
{
	if (petite_call_is_none(call, 2)) {
		petite_call_require(call, divisions->exact != NULL);
		return divisions->exact;
	}
	if (petite_call_is_text(call, 2, "trunc")) {
		return divisions->truncate;
	}
	petite_call_require(call, petite_call_is_text(call, 2, "floor"));
	return divisions->floor;
}

static void divide(struct petite_call *call, uint8_t dtype, petite_casts casts,
		   const struct divisions *divisions)
{
	struct operands operands;

	/* An exact quotient of integers is one of float32. */
	petite_call_require(call, petite_call_is_none(call, 2) || common_type(call) == dtype);
	take(call, dtype, casts, &operands);
	petite_call_binary(call, division_of(call, divisions), &operands.first, &operands.second,
			   &operands.output);
}

/*
 * (x, y, output): computed in an element type that the entry's kernel has and PyTorch would take.
 * add and sub: (x, y, alpha, output), with y multiplied by alpha; rsub: y - alpha * x. div: (x, y,
 * rounding, output).
 */
#define DEFINE_BINARY(type, TYPE)                                                                  \
	void petite_prepare_binary_##type(struct petite_call *call)                                \
	{                                                                                          \
		check_type(call, TYPE);                                                            \
		binary(call, TYPE, petite_casts_to_##type);                                        \
	}
#define DEFINE_COMPARISON(type, TYPE)                                                              \
	void petite_prepare_compare_##type(struct petite_call *call)                               \
	{                                                                                          \
		check_comparison(call, TYPE);                                                      \
		binary(call, TYPE, petite_casts_to_##type);                                        \
	}
#define DEFINE_SCALED(type, TYPE, multiply)                                                        \
	void petite_prepare_add_##type(struct petite_call *call)                                   \
	{                                                                                          \
		add(call, TYPE, petite_casts_to_##type, multiply);                                 \
	}
#define DEFINE_NUMBERS(type, TYPE, exact)                                                          \
	DEFINE_BINARY(type, TYPE)                                                                  \
	DEFINE_COMPARISON(type, TYPE)                                                              \
	DEFINE_SCALED(type, TYPE, petite_binary_mul_##type##_scalar)                               \
	void petite_prepare_rsub_##type(struct petite_call *call)                                  \
	{                                                                                          \
		rsub(call, TYPE, petite_casts_to_##type, petite_binary_mul_##type##_scalar);       \
	}                                                                                          \
	void petite_prepare_div_##type(struct petite_call *call)                                   \
	{                                                                                          \
		static const struct divisions divisions = {                                        \
			petite_binary_div_trunc_##type##_scalar,                                   \
			petite_binary_div_floor_##type##_scalar, exact};                           \
                                                                                                   \
		divide(call, TYPE, petite_casts_to_##type, &divisions);                            \
	}

DEFINE_NUMBERS(s8, PETITE_S8, NULL)
DEFINE_NUMBERS(s16, PETITE_S16, NULL)
DEFINE_NUMBERS(s32, PETITE_S32, NULL)
DEFINE_NUMBERS(s64, PETITE_S64, NULL)
DEFINE_NUMBERS(u8, PETITE_U8, NULL)
DEFINE_NUMBERS(f32, PETITE_F32, petite_binary_div_f32_scalar)
DEFINE_BINARY(bool, PETITE_BOOL)
DEFINE_COMPARISON(bool, PETITE_BOOL)
DEFINE_SCALED(bool, PETITE_BOOL, petite_binary_and_bool_scalar)

/** (x, y, output): computed in float32, whatever the operands are */
void petite_prepare_binary_as_f32(struct petite_call *call)
{
	binary(call, PETITE_F32, petite_casts_to_f32);
}

/** (x, y, output): computed in bool, whatever the operands are */
void petite_prepare_binary_as_bool(struct petite_call *call)
{
	binary(call, PETITE_BOOL, petite_casts_to_bool);
}
