/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include <petite/prepare.h>

#include "loading.h"
#include "schema.h"

/** Inputs whose bytes are remembered, to see that no output shares them. */
#define MOST_INPUTS 32

struct petite_call {
	struct petite_loading *loading;
	const struct petite_operator_entry *entry;
	/** The vector of its arguments. */
	uint32_t arguments;
	uint32_t count;
	/** Bytes of the arena that its inputs have so far. */
	uint32_t input_count;
	struct {
		uint32_t start;
		uint32_t end;
	} inputs[MOST_INPUTS];
};

bool petite_call_failed(const struct petite_call *call)
{
	return call->loading->status != PETITE_OK;
}

void petite_call_require(struct petite_call *call, bool condition)
{
	petite_loading_require(call->loading, condition, PETITE_ERR_UNSUPPORTED, call->arguments);
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

/** The same for an argument, or an element of one that is a list. */
static uint32_t value_of(struct petite_call *call, uint32_t position)
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

/** The 64 bits of a number's value; 0 and a failure where it is of another type. */
static uint64_t number_bits(struct petite_call *call, uint32_t index, uint8_t *type)
{
	struct petite_loading *loading = call->loading;
	uint32_t table;

	*type = petite_loading_type(loading, index);
	table = petite_loading_value(loading, index, *type);
	if (table == 0) {
		return 0;
	}
	if (*type == PETITE_VALUE_BOOL) {
		return petite_u8_field(&loading->file, table, PETITE_ONLY_SLOT) != 0;
	}
	petite_call_require(call, *type == PETITE_VALUE_INT || *type == PETITE_VALUE_DOUBLE);
	return petite_call_failed(call) ? 0
					: petite_u64_field(&loading->file, table, PETITE_ONLY_SLOT);
}

static bool is_of_type(struct petite_call *call, uint32_t position, uint8_t type)
{
	return petite_loading_type(call->loading, value_of(call, position)) == type;
}

bool petite_call_is_none(struct petite_call *call, uint32_t position)
{
	return is_of_type(call, position, PETITE_VALUE_NONE);
}

bool petite_call_is_tensor(struct petite_call *call, uint32_t position)
{
	return is_of_type(call, position, PETITE_VALUE_TENSOR);
}

uint8_t petite_call_number_type(struct petite_call *call, uint32_t position)
{
	switch (petite_loading_type(call->loading, value_of(call, position))) {
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

bool petite_call_is_text(struct petite_call *call, uint32_t position, const char *text)
{
	const struct petite_file *file = &call->loading->file;
	uint32_t table =
		petite_loading_value(call->loading, value_of(call, position), PETITE_VALUE_TEXT);
	uint32_t at = table == 0 ? 0 : petite_child(file, table, PETITE_ONLY_SLOT);
	uint32_t length = petite_length(file, at);

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
	int64_t value = (int64_t)number_bits(call, index, &type);

	petite_call_require(call, type != PETITE_VALUE_DOUBLE);
	return petite_call_failed(call) ? 0 : value;
}

int64_t petite_call_long(struct petite_call *call, uint32_t position)
{
	return long_of(call, value_of(call, position));
}

static int32_t int_of(struct petite_call *call, uint32_t index)
{
	int64_t value = long_of(call, index);

	petite_call_require(call, value >= INT32_MIN && value <= INT32_MAX);
	return petite_call_failed(call) ? 0 : (int32_t)value;
}

int32_t petite_call_int(struct petite_call *call, uint32_t position)
{
	return int_of(call, value_of(call, position));
}

double petite_call_number(struct petite_call *call, uint32_t position)
{
	uint8_t type;
	uint64_t bits = number_bits(call, value_of(call, position), &type);
	double value;

	if (type == PETITE_VALUE_DOUBLE) {
		memcpy(&value, &bits, sizeof(value));
		return value;
	}
	return (double)(int64_t)bits;
}

uint32_t petite_call_ints(struct petite_call *call, uint32_t position, int32_t *items,
			  uint32_t capacity)
{
	struct petite_loading *loading = call->loading;
	uint32_t table = petite_loading_value(loading, value_of(call, position), PETITE_VALUE_INTS);
	uint32_t list = table == 0 ? 0 : petite_child(&loading->file, table, PETITE_ONLY_SLOT);
	uint32_t count = petite_length(&loading->file, list);

	memset(items, 0, capacity * sizeof(items[0]));
	petite_call_require(call, count <= capacity);
	for (uint32_t i = 0; i < count && !petite_call_failed(call); i++) {
		/* Each is a value of its own; an index that is too large is no value. */
		uint64_t index = petite_u64_at(&loading->file, list + 4 + 8 * i);

		items[i] = int_of(call, index > UINT32_MAX ? UINT32_MAX : (uint32_t)index);
	}
	return petite_call_failed(call) ? 0 : count;
}

uint32_t petite_call_doubles(struct petite_call *call, uint32_t position, double *items,
			     uint32_t capacity)
{
	const struct petite_file *file = &call->loading->file;
	uint32_t table =
		petite_loading_value(call->loading, value_of(call, position), PETITE_VALUE_DOUBLES);
	uint32_t list = table == 0 ? 0 : petite_child(file, table, PETITE_ONLY_SLOT);
	uint32_t count = petite_length(file, list);

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

/* --- tensors ------------------------------------------------------------------------------------
 */

static uint32_t take(struct petite_call *call, uint32_t position, uint8_t dtype,
		     struct petite_place *place)
{
	uint32_t index = value_of(call, position);

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
	petite_call_require(call, call->input_count < MOST_INPUTS);
	if (call->input_count < MOST_INPUTS) {
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

/* --- memory and steps ---------------------------------------------------------------------------
 */

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
	struct petite_loading *loading = call->loading;
	void *copy = petite_loading_reserve(loading, size);

	petite_call_require(call, loading->step_count < UINT16_MAX);
	if (petite_call_failed(call)) {
		return;
	}
	if (copy != NULL) {
		memcpy(copy, params, size);
		loading->steps[loading->step_count] =
			(struct petite_step){.run = kernel, .params = copy};
	}
	loading->step_count++;
}

/* --- which operator -----------------------------------------------------------------------------
 */

static uint32_t pair_of(uint8_t dtype, uint8_t result)
{
	return (uint32_t)dtype << 8 | result;
}

/** How a name of the table stands to "name.overload" of a file: before (< 0), equal, or behind. */
static int compare(const char *name, const char *base, const char *overload)
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
		int order = compare(entry->name, base, overload);

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
	uint32_t index = value_of(call, position);
	struct petite_place place = {0};

	if (petite_loading_type(call->loading, index) == PETITE_VALUE_TENSOR) {
		petite_loading_tensor(call->loading, index, &place);
	}
	return place.tensor.dtype;
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

	petite_loading_require(loading, index < petite_length(file, operators), PETITE_ERR_FORMAT,
			       table);
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
	petite_loading_require(loading, call.entry != NULL, PETITE_ERR_NOT_REGISTERED, table);
	if (loading->status == PETITE_OK) {
		call.entry->prepare(&call);
	}
}
