/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "call.h"
#include "schema.h"

static uint32_t pair_of(uint8_t dtype, uint8_t result)
{
	return (uint32_t)dtype << 8 | result;
}

int petite_compare_names(const char *name, const char *base, const char *overload)
{
	while (*base != '\0' && *name == *base) {
		name++;
		base++;
	}
	if (*base == '\0' && overload != NULL && *overload != '\0') {
		if (*name != '.') {
			return *name - '.';
		}
		name++;
		while (*overload != '\0' && *name == *overload) {
			name++;
			overload++;
		}
		return *name - *overload;
	}
	return *name - *base;
}

/** The entry of an operator for a pair of element types, or NULL. */
static const struct petite_operator_entry *find(const struct petite_operator_table *table,
						const char *base, const char *overload,
						uint32_t types)
{
	uint32_t low = 0;
	uint32_t high = table->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct petite_operator_entry *entry = &table->entries[middle];
		int order = petite_compare_names(entry->name, base, overload);

		if (order == 0) {
			order = (int)pair_of(entry->dtype, entry->result) - (int)types;
		}
		if (order == 0) {
			return entry;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return NULL;
}

/** Element type of an argument; 0 where it is no tensor. */
static uint8_t dtype_of(struct petite_call *call, uint32_t position)
{
	struct petite_loading *loading = call->loading;
	uint32_t index = petite_call_value(call, position);

	return petite_loading_type(loading, index) == PETITE_VALUE_TENSOR
		       ? petite_loading_dtype(loading, index)
		       : 0;
}

/** Element types of a call's first tensor and of its last argument. */
static uint32_t types_of(struct petite_call *call)
{
	uint8_t first = 0;

	for (uint32_t i = 0; i < call->count && first == 0 && !petite_call_failed(call); i++) {
		first = dtype_of(call, i);
	}
	return call->count == 0 ? 0 : pair_of(first, dtype_of(call, call->count - 1));
}

void petite_loading_call(struct petite_loading *loading, uint32_t table)
{
	const struct petite_file *file = &loading->file;
	struct petite_call call = {.loading = loading};
	uint32_t operators = petite_child(file, loading->method, PETITE_PLAN_OPERATORS);
	uint32_t index = petite_u32_field(file, table, PETITE_CALL_OPERATOR);
	uint32_t name;
	uint32_t overload;
	uint32_t types;

	petite_loading_check(loading, index < petite_length(file, operators), table);
	if (loading->status != PETITE_OK) {
		return;
	}
	name = petite_child(file, petite_element(file, operators, index), PETITE_OPERATOR_NAME);
	overload = petite_child(file, petite_element(file, operators, index),
				PETITE_OPERATOR_OVERLOAD);
	loading->fault.operator_name = (const char *)(file->bytes + name + 4);
	loading->fault.overload = overload == 0 ? NULL : (const char *)(file->bytes + overload + 4);
	call.arguments = petite_child(file, table, PETITE_CALL_ARGUMENTS);
	call.count = petite_length(file, call.arguments);
	types = types_of(&call);
	call.entry = find(loading->operators, loading->fault.operator_name, loading->fault.overload,
			  types);
	if (call.entry == NULL && loading->operators->fallback != NULL) {
		loading->operators->fallback(&call);
		return;
	}
	if (call.entry == NULL) {
		petite_loading_fail(loading, PETITE_ERR_NOT_REGISTERED, table);
	}
	if (loading->status == PETITE_OK) {
		call.entry->prepare(&call);
	}
}
