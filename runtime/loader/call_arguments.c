/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "call.h"
#include "schema.h"

bool petite_call_failed(const struct petite_call *call)
{
	return call->loading->status != PETITE_OK;
}

void petite_call_require(struct petite_call *call, bool condition)
{
	petite_loading_require(call->loading, condition, call->arguments);
}

uint32_t petite_call_argument_count(const struct petite_call *call)
{
	return call->count;
}

petite_kernel petite_call_kernel(const struct petite_call *call)
{
	return call->entry->kernel;
}

/** The index of an argument's value; one that no method has after a failure. */
static uint32_t argument_of(struct petite_call *call, uint32_t position)
{
	petite_call_require(call, position < call->count);
	return position < call->count
		       ? petite_u32_at(&call->loading->file, call->arguments + 4 + 4 * position)
		       : UINT32_MAX;
}

/** The vector of an argument that is a list of tensors, or 0 after a failure. */
static uint32_t list_of(struct petite_call *call, uint32_t position)
{
	struct petite_loading *loading = call->loading;
	uint32_t index = argument_of(call, position);
	uint8_t type = petite_loading_type(loading, index);
	uint32_t table;

	petite_call_require(call,
			    type == PETITE_VALUE_TENSORS || type == PETITE_VALUE_OPTIONAL_TENSORS);
	table = petite_loading_value(loading, index, type);
	return table == 0 ? 0 : petite_child(&loading->file, table, PETITE_ONLY_SLOT);
}

uint32_t petite_call_value(struct petite_call *call, uint32_t position)
{
	uint32_t item = position >> 16;
	uint32_t list;

	if (item == 0) {
		return argument_of(call, position);
	}
	list = list_of(call, position & UINT16_MAX);
	petite_call_require(call, item <= petite_length(&call->loading->file, list));
	return petite_call_failed(call) ? UINT32_MAX
					: petite_u32_at(&call->loading->file, list + 4 * item);
}

uint32_t petite_call_list(struct petite_call *call, uint32_t position)
{
	uint32_t count = petite_length(&call->loading->file, list_of(call, position));

	petite_call_require(call, count < UINT16_MAX);
	return petite_call_failed(call) ? 0 : count;
}

static bool is_of_type(struct petite_call *call, uint32_t position, uint8_t type)
{
	return petite_loading_type(call->loading, petite_call_value(call, position)) == type;
}

bool petite_call_is_none(struct petite_call *call, uint32_t position)
{
	uint32_t index = petite_call_value(call, position);

	/* In a list of optional tensors, no value stands for none. */
	if (position > UINT16_MAX && index == UINT32_MAX) {
		return true;
	}
	return petite_loading_type(call->loading, index) == PETITE_VALUE_NONE;
}

bool petite_call_is_tensor(struct petite_call *call, uint32_t position)
{
	return is_of_type(call, position, PETITE_VALUE_TENSOR);
}

uint8_t petite_call_number_type(struct petite_call *call, uint32_t position)
{
	switch (petite_loading_type(call->loading, petite_call_value(call, position))) {
	case PETITE_VALUE_INT:
		return PETITE_S64;
	case PETITE_VALUE_BOOL:
		return PETITE_BOOL;
	case PETITE_VALUE_DOUBLE:
		return PETITE_F32;
	default:
		return 0;
	}
}

/** The vector that an argument of a type is, and how many elements it has; 0 after a failure. */
static uint32_t vector_of(struct petite_call *call, uint32_t position, uint8_t type,
			  uint32_t *count)
{
	struct petite_loading *loading = call->loading;
	uint32_t table = petite_loading_value(loading, petite_call_value(call, position), type);
	uint32_t vector = table == 0 ? 0 : petite_child(&loading->file, table, PETITE_ONLY_SLOT);

	*count = petite_length(&loading->file, vector);
	return vector;
}

bool petite_call_is_text(struct petite_call *call, uint32_t position, const char *text)
{
	const struct petite_file *file = &call->loading->file;
	uint32_t length;
	uint32_t at = vector_of(call, position, PETITE_VALUE_TEXT, &length);

	for (uint32_t i = 0; i < length; i++) {
		if (text[i] == '\0' || (uint8_t)text[i] != petite_u8_at(file, at + 4 + i)) {
			return false;
		}
	}
	return at != 0 && text[length] == '\0';
}

static int64_t long_of(struct petite_call *call, uint32_t index)
{
	uint8_t type;
	int64_t value = (int64_t)petite_loading_number(call->loading, index, &type);

	petite_call_require(call, type != PETITE_VALUE_DOUBLE);
	return petite_call_failed(call) ? 0 : value;
}

int64_t petite_call_long(struct petite_call *call, uint32_t position)
{
	return long_of(call, petite_call_value(call, position));
}

static int32_t int_of(struct petite_call *call, uint32_t index)
{
	int64_t value = long_of(call, index);

	petite_call_require(call, value >= INT32_MIN && value <= INT32_MAX);
	return petite_call_failed(call) ? 0 : (int32_t)value;
}

int32_t petite_call_int(struct petite_call *call, uint32_t position)
{
	return int_of(call, petite_call_value(call, position));
}

double petite_call_number(struct petite_call *call, uint32_t position)
{
	uint8_t type;
	uint64_t bits =
		petite_loading_number(call->loading, petite_call_value(call, position), &type);
	double value;

	if (type == PETITE_VALUE_DOUBLE) {
		memcpy(&value, &bits, sizeof(value));
		return value;
	}
	return (double)(int64_t)bits;
}

/** The value of an element: each is a value of its own. An index that is too large is no value. */
static uint32_t element_of(const struct petite_call *call, uint32_t list, uint32_t item)
{
	return petite_size_at(&call->loading->file, list + 4 + 8 * item);
}

uint32_t petite_call_ints(struct petite_call *call, uint32_t position, int32_t *items,
			  uint32_t capacity)
{
	uint32_t count;
	uint32_t list = vector_of(call, position, PETITE_VALUE_INTS, &count);

	memset(items, 0, capacity * sizeof(items[0]));
	petite_call_require(call, count <= capacity);
	for (uint32_t i = 0; i < count && !petite_call_failed(call); i++) {
		items[i] = int_of(call, element_of(call, list, i));
	}
	return petite_call_failed(call) ? 0 : count;
}

uint32_t petite_call_longs(struct petite_call *call, uint32_t position, int64_t *items)
{
	uint32_t count;
	uint32_t list = vector_of(call, position, PETITE_VALUE_INTS, &count);

	for (uint32_t i = 0; i < count && !petite_call_failed(call); i++) {
		int64_t item = long_of(call, element_of(call, list, i));

		if (items != NULL) {
			items[i] = item;
		}
	}
	return petite_call_failed(call) ? 0 : count;
}

uint32_t petite_call_doubles(struct petite_call *call, uint32_t position, double *items,
			     uint32_t capacity)
{
	const struct petite_file *file = &call->loading->file;
	uint32_t count;
	uint32_t list = vector_of(call, position, PETITE_VALUE_DOUBLES, &count);

	memset(items, 0, capacity * sizeof(items[0]));
	petite_call_require(call, count <= capacity);
	if (petite_call_failed(call)) {
		return 0;
	}
	if (count > 0) {
		memcpy(items, file->bytes + list + 4, count * sizeof(items[0]));
	}
	return count;
}
