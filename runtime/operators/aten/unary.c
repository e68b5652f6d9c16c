/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/unary/unary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

static void unary(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, 0, &output);
	if (casts != NULL) {
		petite_call_as(call, &used, dtype, casts, &input);
	}
	petite_call_unary(call, petite_call_kernel(call), &used, &input, &output);
}

/** (input, ..., output): the entry's kernel is for both types */
void petite_prepare_unary(struct petite_call *call)
{
	unary(call, 0, NULL);
}

/** The same; the kernel is of float32, or of bool, and the input is converted. */
void petite_prepare_unary_of_f32(struct petite_call *call)
{
	unary(call, PETITE_F32, petite_casts_to_f32);
}

void petite_prepare_unary_of_bool(struct petite_call *call)
{
	unary(call, PETITE_BOOL, petite_casts_to_bool);
}

/** (input, approximation, output) */
void petite_prepare_gelu(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	uint32_t used = 0;
	bool is_exact = petite_call_is_text(call, 1, "none");

	petite_call_require(call, is_exact || petite_call_is_text(call, 1, "tanh"));
	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &output);
	petite_call_unary(
		call, is_exact ? petite_unary_gelu_f32_scalar : petite_unary_gelu_tanh_f32_scalar,
		&used, &input, &output);
}

/** (input, output): no integer is infinite, or not a number */
void petite_prepare_never(struct petite_call *call)
{
	static const uint8_t no[8] = {0};
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor element;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_BOOL, &output);
	petite_call_require(call, petite_same_sizes(&input, &output));
	petite_call_element(call, PETITE_BOOL, no, &element);
	petite_call_expand(call, &element, &output);
}

/** (x, probability, train?, x again, mask, list): nothing is dropped outside training */
void petite_prepare_dropout(struct petite_call *call)
{
	static const uint8_t yes[8] = {1};
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor mask;
	struct petite_load_tensor element;
	bool trains = petite_call_is_none(call, 2) || petite_call_int(call, 2) != 0;

	petite_call_require(call, count >= 3 && (!trains || petite_call_number(call, 1) == 0.0));
	petite_call_input(call, 0, PETITE_F32, &input);
	petite_call_output(call, count - 3, PETITE_F32, &output);
	petite_call_output(call, count - 2, PETITE_BOOL, &mask);
	petite_call_require(call, petite_same_sizes(&input, &output));
	petite_call_expand(call, &input, &output);
	petite_call_element(call, PETITE_BOOL, yes, &element);
	petite_call_expand(call, &element, &mask);
}
