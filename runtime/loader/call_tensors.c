/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "call.h"
#include "schema.h"

static uint32_t take(struct petite_call *call, uint32_t position, uint8_t dtype,
		     struct petite_place *place)
{
	uint32_t index = petite_call_value(call, position);

	petite_loading_tensor(call->loading, index, place);
	petite_call_require(call, dtype == 0 || place->tensor.dtype == dtype);
	return index;
}

/** Remember which bytes of the arena an input has. */
static void note_input(struct petite_call *call, const struct petite_place *place)
{
	if (place->tensor.is_constant || petite_call_failed(call)) {
		return;
	}
	petite_call_require(call, call->input_count < PETITE_MOST_INPUTS);
	if (call->input_count < PETITE_MOST_INPUTS) {
		call->inputs[call->input_count].start = place->offset;
		call->inputs[call->input_count].end = place->offset + place->size;
		call->input_count++;
	}
}

void petite_call_tensor(struct petite_call *call, uint32_t position,
			struct petite_load_tensor *tensor)
{
	struct petite_place place;

	take(call, position, 0, &place);
	*tensor = place.tensor;
}

void petite_call_input(struct petite_call *call, uint32_t position, uint8_t dtype,
		       struct petite_load_tensor *tensor)
{
	struct petite_place place;
	uint32_t index = take(call, position, dtype, &place);

	petite_loading_read(call->loading, index, &place);
	note_input(call, &place);
	*tensor = place.tensor;
}

void petite_call_constant(struct petite_call *call, uint32_t position, uint8_t dtype,
			  struct petite_load_tensor *tensor)
{
	struct petite_place place;

	take(call, position, dtype, &place);
	petite_call_require(call, place.tensor.is_constant);
	*tensor = place.tensor;
}

void petite_call_output(struct petite_call *call, uint32_t position, uint8_t dtype,
			struct petite_load_tensor *tensor)
{
	struct petite_place place;
	uint32_t index = take(call, position, dtype, &place);

	petite_call_require(call, !place.tensor.is_constant);
	for (uint32_t i = 0; i < call->input_count; i++) {
		petite_call_require(call,
				    place.offset >= call->inputs[i].end ||
					    call->inputs[i].start >= place.offset + place.size);
	}
	petite_loading_write(call->loading, index);
	*tensor = place.tensor;
}

void petite_call_in_place(struct petite_call *call, uint32_t position, uint8_t dtype,
			  struct petite_load_tensor *tensor)
{
	struct petite_place place;
	uint32_t index = take(call, position, dtype, &place);

	petite_loading_read(call->loading, index, &place);
	petite_call_output(call, position, dtype, tensor);
}

void *petite_call_reserve(struct petite_call *call, uint32_t size)
{
	return petite_loading_reserve(call->loading, size);
}

void *petite_call_scratch(struct petite_call *call, uint32_t size)
{
	struct petite_loading *loading = call->loading;

	if (size > loading->scratch) {
		loading->scratch = size;
	}
	petite_call_require(call, size <= INT32_MAX - loading->planned);
	return (void *)((uintptr_t)loading->arena + loading->planned);
}

void petite_call_step(struct petite_call *call, petite_kernel kernel, const void *params,
		      uint32_t size)
{
	petite_loading_step(call->loading, kernel, params, size);
}
