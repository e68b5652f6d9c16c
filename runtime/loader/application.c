/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include <petite/operator.h>
#include <petite/registry.h>

#include "../registry/operator_steps.h"
#include "call.h"
#include "schema.h"

/** The registered operator that is called, or NULL. */
static const struct petite_registry_entry *find(const struct petite_call *call)
{
	const struct petite_registry *registry = call->loading->registry;

	for (uint32_t i = 0; registry != NULL && i < registry->count; i++) {
		if (petite_compare_names(registry->entries[i].name,
					 call->loading->fault.operator_name,
					 call->loading->fault.overload) == 0) {
			return &registry->entries[i];
		}
	}
	return NULL;
}

/** How many of the arguments are outputs: those in front of the result, which repeats them. */
static uint32_t output_count(struct petite_call *call)
{
	uint32_t last = call->count - 1;
	bool is_list;
	uint32_t count;

	petite_call_require(call, call->count >= 2);
	if (petite_call_failed(call)) {
		return 0;
	}
	is_list = !petite_call_is_tensor(call, last);
	count = is_list ? petite_call_list(call, last) : 1;
	petite_call_require(call, count >= 1 && count <= UINT8_MAX && count < call->count);
	for (uint32_t i = 0; i < count && !petite_call_failed(call); i++) {
		uint32_t result = is_list ? petite_call_item(last, i) : last;

		petite_call_require(call, petite_call_value(call, last - count + i) ==
						  petite_call_value(call, result));
	}
	return petite_call_failed(call) ? 0 : count;
}

/** A tensor in its dimensions' own order, with its sizes in memory for structures. */
static struct petite_tensor tensor_of(struct petite_call *call,
				      const struct petite_load_tensor *tensor)
{
	int32_t *dims = petite_call_reserve(call, tensor->rank * (uint32_t)sizeof(dims[0]));

	petite_call_require(call, petite_is_contiguous(tensor));
	if (dims != NULL) {
		memcpy(dims, tensor->sizes, tensor->rank * sizeof(dims[0]));
	}
	return (struct petite_tensor){
		.data = tensor->data,
		.dims = tensor->rank == 0 ? NULL : dims,
		.rank = tensor->rank,
		.dtype = tensor->dtype,
	};
}

/** Integers of any size, in memory for structures. */
static struct petite_integers integers_of(struct petite_call *call, uint32_t position)
{
	uint32_t count = petite_call_longs(call, position, NULL);
	int64_t *items = petite_call_reserve(call, count * (uint32_t)sizeof(items[0]));

	if (items != NULL) {
		petite_call_longs(call, position, items);
	}
	return (struct petite_integers){.items = count == 0 ? NULL : items,
					.count = (int32_t)count};
}

static struct petite_argument argument_of(struct petite_call *call, uint32_t position)
{
	struct petite_argument argument = {0};
	struct petite_load_tensor tensor;

	switch (petite_loading_type(call->loading, petite_call_value(call, position))) {
	case PETITE_VALUE_TENSOR:
		petite_call_input(call, position, 0, &tensor);
		argument.kind = PETITE_ARGUMENT_TENSOR;
		argument.as.tensor = tensor_of(call, &tensor);
		break;
	case PETITE_VALUE_INT:
		argument.kind = PETITE_ARGUMENT_INTEGER;
		argument.as.integer = petite_call_long(call, position);
		break;
	case PETITE_VALUE_BOOL:
		argument.kind = PETITE_ARGUMENT_BOOLEAN;
		argument.as.integer = petite_call_long(call, position);
		break;
	case PETITE_VALUE_DOUBLE:
		argument.kind = PETITE_ARGUMENT_REAL;
		argument.as.real = petite_call_number(call, position);
		break;
	case PETITE_VALUE_INTS:
		argument.kind = PETITE_ARGUMENT_INTEGERS;
		argument.as.integers = integers_of(call, position);
		break;
	case PETITE_VALUE_NONE:
		argument.kind = PETITE_ARGUMENT_NONE;
		break;
	default:
		petite_call_require(call, false);
	}
	return argument;
}

void petite_prepare_application(struct petite_call *call)
{
	const struct petite_registry_entry *entry = find(call);
	struct petite_call_operator params = {0};
	uint32_t outputs;
	uint32_t count;
	petite_operator *function;
	struct petite_argument *arguments;
	struct petite_tensor *results;

	if (entry == NULL) {
		petite_loading_fail(call->loading, PETITE_ERR_NOT_REGISTERED, call->arguments);
	}
	outputs = output_count(call);
	count = call->count - 1 - outputs;
	function = petite_call_reserve(call, sizeof(*function));
	petite_call_require(call, count <= UINT8_MAX);
	if (petite_call_failed(call)) {
		return;
	}
	arguments = petite_call_reserve(call, count * (uint32_t)sizeof(arguments[0]));
	results = petite_call_reserve(call, outputs * (uint32_t)sizeof(results[0]));
	for (uint32_t i = 0; i < count && !petite_call_failed(call); i++) {
		struct petite_argument argument = argument_of(call, i);

		if (arguments != NULL) {
			arguments[i] = argument;
		}
	}
	for (uint32_t i = 0; i < outputs && !petite_call_failed(call); i++) {
		struct petite_load_tensor tensor;
		struct petite_tensor result;

		petite_call_output(call, count + i, 0, &tensor);
		result = tensor_of(call, &tensor);
		if (results != NULL) {
			results[i] = result;
		}
	}
	if (function != NULL) {
		*function = entry->function;
	}
	params.function = function;
	params.call.name = entry->name;
	params.call.arguments = arguments;
	params.call.outputs = results;
	params.call.argument_count = (uint8_t)count;
	params.call.output_count = (uint8_t)outputs;
	petite_call_step(call, petite_call_operator, &params, sizeof(params));
}
