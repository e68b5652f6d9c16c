/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/elementwise.h"
#include "../common/movement.h"
#include "aten.h"

/** (condition, x, y, output) in one element type; the condition's bytes are not zero where it
 * holds.
 */
static void where(struct petite_call *call, uint8_t dtype, petite_casts casts)
{
	struct petite_load_tensor condition;
	struct petite_load_tensor first;
	struct petite_load_tensor second;
	struct petite_load_tensor output;
	uint32_t used = 0;

	petite_call_input(call, 0, 0, &condition);
	petite_call_input(call, 1, 0, &first);
	petite_call_input(call, 2, 0, &second);
	petite_call_output(call, petite_call_argument_count(call) - 1, dtype, &output);
	petite_call_require(call, petite_promote(first.dtype, second.dtype) == dtype);
	petite_call_require(call, condition.dtype == PETITE_BOOL || condition.dtype == PETITE_U8);
	petite_call_as(call, &used, dtype, casts, &first);
	petite_call_as(call, &used, dtype, casts, &second);
	petite_call_where(call, &condition, &first, &second, &output);
}

#define DEFINE_WHERE(type, TYPE)                                                                   \
	void petite_prepare_where_##type(struct petite_call *call)                                 \
	{                                                                                          \
		where(call, TYPE, petite_casts_to_##type);                                         \
	}

DEFINE_WHERE(s8, PETITE_S8)
DEFINE_WHERE(s16, PETITE_S16)
DEFINE_WHERE(s32, PETITE_S32)
DEFINE_WHERE(s64, PETITE_S64)
DEFINE_WHERE(u8, PETITE_U8)
DEFINE_WHERE(f32, PETITE_F32)
DEFINE_WHERE(bool, PETITE_BOOL)

/** (x, mask, number, output) */
void petite_prepare_masked_fill(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor mask;
	struct petite_load_tensor filling;
	struct petite_load_tensor output;

	petite_call_input(call, 0, 0, &input);
	petite_call_input(call, 1, PETITE_BOOL, &mask);
	petite_call_operand(call, 2, input.dtype, &filling);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_require(call, filling.dtype == input.dtype);
	petite_call_where(call, &mask, &filling, &input, &output);
}
