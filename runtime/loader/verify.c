/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "verify.h"

/** What a field is. */
enum kind {
	UNUSED, /* a slot without a meaning */
	NUMBER, /* of so many bytes */
	TEXT,
	VECTOR, /* of numbers of so many bytes */
	TABLES, /* a vector of such tables */
	TABLE,  /* such a table */
	TAG,    /* which member the union in the next slot is: 0 for none, or up to a number */
	UNION,  /* one of the tables from this one on */
};

/** Tables of the schema; members of a union stand together, in the order of their tags. */
enum table {
	PROGRAM,
	EXECUTION_PLAN,
	BUFFER,
	DATA_SEGMENT,
	SUBSEGMENTS,
	NAMED_DATA,
	CONTAINER_METADATA,
	EVALUE,
	CHAIN,
	OPERATOR,
	BACKEND_DELEGATE,
	MEMORY_DEVICE,
	DATA_REFERENCE,
	COMPILE_SPEC,
	FRAME_LIST,
	FRAME,
	ALLOCATION,
	TENSOR_INFO,
	INSTRUCTION,
	KERNEL_CALL, /* first of 5 instructions */
	DELEGATE_CALL,
	MOVE_CALL,
	JUMP_FALSE_CALL,
	FREE_CALL,
	VALUE_NULL, /* first of 11 values */
	VALUE_INT,
	VALUE_BOOL,
	VALUE_DOUBLE,
	VALUE_TENSOR,
	VALUE_STRING,
	VALUE_INTS,
	VALUE_DOUBLES,
	VALUE_BOOLS,
	VALUE_TENSORS,
	VALUE_OPTIONAL_TENSORS,
	TABLE_COUNT,
};

#define INSTRUCTIONS 5
#define VALUES 11

/** A field of a table: its kind, what the kind speaks of, and whether it must be there. */
struct field {
	uint8_t kind;
	uint8_t argument : 7;
	uint8_t required : 1;
};

#define NUMBERS(a) {VECTOR, a, 1}
#define SOME(kind, a) {kind, a, 0}
#define MUST(kind, a) {kind, a, 1}

static const struct field program[] = {
	SOME(NUMBER, 4),           MUST(TABLES, EXECUTION_PLAN), SOME(TABLES, BUFFER),
	SOME(TABLES, BUFFER),      SOME(TABLES, DATA_SEGMENT),   SOME(TABLE, SUBSEGMENTS),
	SOME(TABLES, SUBSEGMENTS), SOME(TABLES, NAMED_DATA),
};
static const struct field execution_plan[] = {
	MUST(TEXT, 0),
	SOME(TABLE, CONTAINER_METADATA),
	MUST(TABLES, EVALUE),
	NUMBERS(4),
	NUMBERS(4),
	MUST(TABLES, CHAIN),
	SOME(TABLES, OPERATOR),
	SOME(TABLES, BACKEND_DELEGATE),
	NUMBERS(8),
	SOME(TABLES, MEMORY_DEVICE),
};
static const struct field bytes[] = {SOME(VECTOR, 1)};
static const struct field data_segment[] = {SOME(NUMBER, 8), SOME(NUMBER, 8)};
static const struct field subsegments[] = {SOME(NUMBER, 4), SOME(VECTOR, 8)};
static const struct field named_data[] = {MUST(TEXT, 0), SOME(NUMBER, 4)};
static const struct field container_metadata[] = {SOME(TEXT, 0), SOME(TEXT, 0)};
static const struct field evalue[] = {SOME(TAG, VALUES), MUST(UNION, VALUE_NULL)};
static const struct field chain[] = {SOME(VECTOR, 4), SOME(VECTOR, 4), MUST(TABLES, INSTRUCTION),
				     SOME(TABLES, FRAME_LIST)};
static const struct field operator_name[] = {MUST(TEXT, 0), SOME(TEXT, 0)};
static const struct field backend_delegate[] = {MUST(TEXT, 0), MUST(TABLE, DATA_REFERENCE),
						SOME(TABLES, COMPILE_SPEC)};
static const struct field memory_device[] = {SOME(NUMBER, 4), SOME(NUMBER, 1), SOME(NUMBER, 1)};
static const struct field data_reference[] = {SOME(NUMBER, 1), SOME(NUMBER, 4)};
static const struct field compile_spec[] = {MUST(TEXT, 0), SOME(VECTOR, 1)};
static const struct field frame_list[] = {SOME(TABLES, FRAME)};
static const struct field frame[] = {SOME(TEXT, 0), SOME(NUMBER, 4), SOME(TEXT, 0), SOME(TEXT, 0)};
static const struct field three_ints[] = {SOME(NUMBER, 4), SOME(NUMBER, 4), SOME(NUMBER, 4)};
static const struct field tensor_info[] = {SOME(NUMBER, 8), SOME(TEXT, 0), SOME(NUMBER, 1),
					   SOME(NUMBER, 1), SOME(NUMBER, 1)};
static const struct field instruction[] = {SOME(TAG, INSTRUCTIONS), MUST(UNION, KERNEL_CALL)};
static const struct field call[] = {SOME(NUMBER, 4), NUMBERS(4)};
static const struct field two_ints[] = {SOME(NUMBER, 4), SOME(NUMBER, 4)};
static const struct field one_int[] = {SOME(NUMBER, 4)};
static const struct field value_64[] = {SOME(NUMBER, 8)};
static const struct field value_bool[] = {SOME(NUMBER, 1)};
static const struct field value_tensor[] = {
	SOME(NUMBER, 1),
	SOME(NUMBER, 4),
	NUMBERS(4),
	NUMBERS(1),
	SOME(NUMBER, 1),
	SOME(NUMBER, 4),
	SOME(TABLE, ALLOCATION),
	SOME(NUMBER, 1),
	SOME(NUMBER, 1),
	SOME(TABLE, TENSOR_INFO),
};
static const struct field value_string[] = {MUST(TEXT, 0)};
static const struct field list_64[] = {NUMBERS(8)};
static const struct field list_32[] = {NUMBERS(4)};
static const struct field list_8[] = {NUMBERS(1)};

#define FIELDS(array) {array, sizeof(array) / sizeof((array)[0])}

static const struct {
	const struct field *fields;
	uint8_t count;
} tables[TABLE_COUNT] = {
	[PROGRAM] = FIELDS(program),
	[EXECUTION_PLAN] = FIELDS(execution_plan),
	[BUFFER] = FIELDS(bytes),
	[DATA_SEGMENT] = FIELDS(data_segment),
	[SUBSEGMENTS] = FIELDS(subsegments),
	[NAMED_DATA] = FIELDS(named_data),
	[CONTAINER_METADATA] = FIELDS(container_metadata),
	[EVALUE] = FIELDS(evalue),
	[CHAIN] = FIELDS(chain),
	[OPERATOR] = FIELDS(operator_name),
	[BACKEND_DELEGATE] = FIELDS(backend_delegate),
	[MEMORY_DEVICE] = FIELDS(memory_device),
	[DATA_REFERENCE] = FIELDS(data_reference),
	[COMPILE_SPEC] = FIELDS(compile_spec),
	[FRAME_LIST] = FIELDS(frame_list),
	[FRAME] = FIELDS(frame),
	[ALLOCATION] = FIELDS(three_ints),
	[TENSOR_INFO] = FIELDS(tensor_info),
	[INSTRUCTION] = FIELDS(instruction),
	[KERNEL_CALL] = FIELDS(call),
	[DELEGATE_CALL] = FIELDS(call),
	[MOVE_CALL] = FIELDS(two_ints),
	[JUMP_FALSE_CALL] = FIELDS(two_ints),
	[FREE_CALL] = FIELDS(one_int),
	[VALUE_NULL] = {NULL, 0},
	[VALUE_INT] = FIELDS(value_64),
	[VALUE_BOOL] = FIELDS(value_bool),
	[VALUE_DOUBLE] = FIELDS(value_64),
	[VALUE_TENSOR] = FIELDS(value_tensor),
	[VALUE_STRING] = FIELDS(value_string),
	[VALUE_INTS] = FIELDS(list_64),
	[VALUE_DOUBLES] = FIELDS(list_64),
	[VALUE_BOOLS] = FIELDS(list_8),
	[VALUE_TENSORS] = FIELDS(list_32),
	[VALUE_OPTIONAL_TENSORS] = FIELDS(list_32),
};

/** Program, plan, chain, list of frames, frame; and with values, an instruction or less. */
#define DEEPEST 6

/** A table that is being checked, and the vector of tables in it that is. */
struct place {
	/** Where the table is, and its vtable. */
	uint32_t at;
	uint32_t vtable;
	/** Elements of the vector that are left, and where the offset of the next one is. */
	uint32_t elements;
	uint32_t next;
	uint8_t table;
	/** Slots of the vtable, the one that is next, and the member that a union is (0: none). */
	uint16_t slots;
	uint16_t slot;
	uint8_t tag;
};

struct walk {
	const struct petite_file *file;
	/** Bytes that may still be visited. */
	uint32_t budget;
	/** The byte that was looked at last. */
	uint32_t at;
	uint32_t depth;
	struct place places[DEEPEST];
};

/** Whether bytes lie among the tables; they count as visited. */
static bool visit(struct walk *walk, uint32_t at, uint64_t size)
{
	walk->at = at;
	if (at < walk->file->first || size > walk->file->tables || at > walk->file->tables - size ||
	    size > walk->budget) {
		return false;
	}
	walk->budget -= (uint32_t)size;
	return true;
}

/** Where an offset leads to, aligned to 4 bytes and with room for 4; 0 where it is wrong. */
static uint32_t follow(struct walk *walk, uint32_t at)
{
	uint32_t offset = petite_u32_at(walk->file, at);
	uint32_t left = walk->file->tables - at;

	if (offset < 4 || left < 4 || offset > left - 4 || (at + offset) % 4 != 0) {
		walk->at = at;
		return 0;
	}
	return at + offset;
}

/** Begin to check a table. */
static bool push(struct walk *walk, uint8_t table, uint32_t at)
{
	struct place *place = &walk->places[walk->depth];
	uint32_t vtable;
	uint32_t length;

	if (at == 0 || walk->depth == DEEPEST || !visit(walk, at, 4)) {
		return false;
	}
	vtable = at - petite_u32_at(walk->file, at);
	if (vtable % 2 != 0 || !visit(walk, vtable, 4)) {
		return false;
	}
	length = petite_u16_at(walk->file, vtable);
	if (length < 4 || length % 2 != 0 || petite_u16_at(walk->file, vtable + 2) < 4 ||
	    !visit(walk, vtable, length)) {
		return false;
	}
	*place = (struct place){.at = at, .vtable = vtable, .table = table};
	place->slots = (uint16_t)((length - 4) / 2);
	walk->depth++;
	return true;
}

/** A vector of numbers, a string, or the length of a vector of tables. */
static bool check_vector(struct walk *walk, uint32_t at, uint32_t width, bool is_text)
{
	uint64_t size;

	if (at == 0 || !visit(walk, at, 4)) {
		return false;
	}
	size = (uint64_t)petite_u32_at(walk->file, at) * width + (is_text ? 1 : 0);
	if (!visit(walk, at + 4, size) || (at + 4) % width != 0) {
		return false;
	}
	return !is_text || petite_u8_at(walk->file, at + 4 + (uint32_t)size - 1) == 0;
}

/** A field that is there. */
static bool check_field(struct walk *walk, struct place *place, struct field field, uint32_t at)
{
	switch (field.kind) {
	case NUMBER:
		return visit(walk, at, field.argument);
	case TAG:
		if (!visit(walk, at, 1)) {
			return false;
		}
		place->tag = petite_u8_at(walk->file, at);
		return place->tag <= field.argument;
	default:
		break;
	}
	if (!visit(walk, at, 4)) {
		return false;
	}
	switch (field.kind) {
	case TEXT:
		return check_vector(walk, follow(walk, at), 1, true);
	case VECTOR:
		return check_vector(walk, follow(walk, at), field.argument, false);
	case TABLES:
		at = follow(walk, at);
		if (!check_vector(walk, at, 4, false)) {
			return false;
		}
		place->elements = petite_u32_at(walk->file, at);
		place->next = at + 4;
		return true;
	case TABLE:
		return push(walk, field.argument, follow(walk, at));
	case UNION:
		return place->tag != 0 &&
		       push(walk, (uint8_t)(field.argument + place->tag - 1), follow(walk, at));
	default:
		return false;
	}
}

/** The next field of a table. */
static bool check_slot(struct walk *walk, struct place *place)
{
	uint32_t slot = place->slot++;
	uint32_t offset = 0;
	struct field field = {UNUSED, 0, 0};

	if (slot < tables[place->table].count) {
		field = tables[place->table].fields[slot];
	}
	if (slot < place->slots) {
		offset = petite_u16_at(walk->file, place->vtable + 4 + 2 * slot);
	}
	walk->at = place->at;
	if (offset == 0) {
		return !field.required;
	}
	return offset >= 4 && check_field(walk, place, field, place->at + offset);
}

/** The next table of a vector; the vector is the field before the slot that is next. */
static bool check_element(struct walk *walk, struct place *place)
{
	uint8_t table = tables[place->table].fields[place->slot - 1].argument;
	uint32_t at = place->next;

	place->elements--;
	place->next += 4;
	return push(walk, table, follow(walk, at));
}

static bool check_all(struct walk *walk)
{
	while (walk->depth > 0) {
		struct place *place = &walk->places[walk->depth - 1];

		if (place->elements > 0) {
			if (!check_element(walk, place)) {
				return false;
			}
		} else if (place->slot < place->slots || place->slot < tables[place->table].count) {
			if (!check_slot(walk, place)) {
				return false;
			}
		} else {
			walk->depth--;
		}
	}
	return true;
}

bool petite_verify_tables(const struct petite_file *file, uint32_t *at)
{
	struct walk walk = {.file = file, .budget = 2 * file->tables};
	bool is_right = push(&walk, PROGRAM, file->root) && check_all(&walk);

	*at = walk.at;
	return is_right;
}
