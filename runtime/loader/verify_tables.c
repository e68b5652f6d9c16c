/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "verify_tables.h"

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
typedef uint16_t field;

#define REQUIRED 0x8000
#define KIND_OF(field) ((field) >> 8 & 0x7f)
#define ARGUMENT_OF(field) ((uint8_t)(field))
#define SOME(kind, a) ((kind) << 8 | (a))
#define MUST(kind, a) (REQUIRED | SOME(kind, a))
#define NUMBERS(a) MUST(VECTOR, a)

static const field program[] = {
	SOME(NUMBER, 4),           MUST(TABLES, EXECUTION_PLAN), SOME(TABLES, BUFFER),
	SOME(TABLES, BUFFER),      SOME(TABLES, DATA_SEGMENT),   SOME(TABLE, SUBSEGMENTS),
	SOME(TABLES, SUBSEGMENTS), SOME(TABLES, NAMED_DATA),
};
static const field execution_plan[] = {
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
static const field bytes[] = {SOME(VECTOR, 1)};
static const field data_segment[] = {SOME(NUMBER, 8), SOME(NUMBER, 8)};
static const field subsegments[] = {SOME(NUMBER, 4), SOME(VECTOR, 8)};
static const field named_data[] = {MUST(TEXT, 0), SOME(NUMBER, 4)};
static const field container_metadata[] = {SOME(TEXT, 0), SOME(TEXT, 0)};
static const field evalue[] = {SOME(TAG, VALUES), MUST(UNION, VALUE_NULL)};
static const field chain[] = {SOME(VECTOR, 4), SOME(VECTOR, 4), MUST(TABLES, INSTRUCTION),
			      SOME(TABLES, FRAME_LIST)};
static const field operator_name[] = {MUST(TEXT, 0), SOME(TEXT, 0)};
static const field backend_delegate[] = {MUST(TEXT, 0), MUST(TABLE, DATA_REFERENCE),
					 SOME(TABLES, COMPILE_SPEC)};
static const field memory_device[] = {SOME(NUMBER, 4), SOME(NUMBER, 1), SOME(NUMBER, 1)};
static const field data_reference[] = {SOME(NUMBER, 1), SOME(NUMBER, 4)};
static const field compile_spec[] = {MUST(TEXT, 0), SOME(VECTOR, 1)};
static const field frame_list[] = {SOME(TABLES, FRAME)};
static const field frame[] = {SOME(TEXT, 0), SOME(NUMBER, 4), SOME(TEXT, 0), SOME(TEXT, 0)};
static const field three_ints[] = {SOME(NUMBER, 4), SOME(NUMBER, 4), SOME(NUMBER, 4)};
static const field tensor_info[] = {SOME(NUMBER, 8), SOME(TEXT, 0), SOME(NUMBER, 1),
				    SOME(NUMBER, 1), SOME(NUMBER, 1)};
static const field instruction[] = {SOME(TAG, INSTRUCTIONS), MUST(UNION, KERNEL_CALL)};
static const field call[] = {SOME(NUMBER, 4), NUMBERS(4)};
static const field two_ints[] = {SOME(NUMBER, 4), SOME(NUMBER, 4)};
static const field one_int[] = {SOME(NUMBER, 4)};
static const field value_64[] = {SOME(NUMBER, 8)};
static const field value_bool[] = {SOME(NUMBER, 1)};
static const field value_tensor[] = {
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
static const field value_string[] = {MUST(TEXT, 0)};
static const field list_64[] = {NUMBERS(8)};
static const field list_32[] = {NUMBERS(4)};
static const field list_8[] = {NUMBERS(1)};

#define FIELDS(array) {array, sizeof(array) / sizeof((array)[0])}

static const struct {
	const field *fields;
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
	/** Tables lie in between. */
	uint32_t first;
	uint32_t end;
	/** Bytes that may still be visited. */
	uint32_t budget;
	/** The byte that was looked at last. */
	uint32_t at;
	uint32_t depth;
	struct place places[DEEPEST];
};

/** Whether bytes lie among the tables; they count as visited. */
static inline bool visit(struct walk *walk, uint32_t at, uint32_t size)
{
	walk->at = at;
	if (at < walk->first || at > walk->end || size > walk->end - at || size > walk->budget) {
		return false;
	}
	walk->budget -= size;
	return true;
}

/** Where an offset leads to, aligned to 4 bytes and with room for 4; 0 where it is wrong. */
static uint32_t follow(struct walk *walk, uint32_t at)
{
	uint32_t offset = petite_u32_at(walk->file, at);
	uint32_t left = walk->end - at;

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
	walk->at = vtable;
	if (vtable % 2 != 0 || vtable > walk->end - 4) {
		return false;
	}
	length = petite_u16_at(walk->file, vtable);
	if (length < 4 || length % 2 != 0 || petite_u16_at(walk->file, vtable + 2) < 4 ||
	    !visit(walk, vtable, length)) {
		return false;
	}
	place->at = at;
	place->vtable = vtable;
	place->elements = 0;
	place->table = table;
	place->slots = (uint16_t)((length - 4) / 2);
	place->slot = 0;
	place->tag = 0;
	walk->depth++;
	return true;
}

/** A vector of numbers, a string, or the length of a vector of tables. */
static bool check_vector(struct walk *walk, uint32_t at, uint32_t width, bool is_text)
{
	uint32_t count;
	uint32_t size;

	if (at == 0 || !visit(walk, at, 4)) {
		return false;
	}
	count = petite_u32_at(walk->file, at);
	at += 4;
	/* So that the product fits 32 bits. */
	if (count > walk->end / width || at % width != 0) {
		return false;
	}
	size = count * width + (is_text ? 1 : 0);
	return visit(walk, at, size) && (!is_text || petite_u8_at(walk->file, at + size - 1) == 0);
}

/** A field that leads elsewhere. Tables and their vectors come next; all else is checked now. */
static bool check_offset(struct walk *walk, struct place *place, uint32_t what, uint32_t at)
{
	uint32_t target = follow(walk, at);

	switch (KIND_OF(what)) {
	case TEXT:
		return check_vector(walk, target, 1, true);
	case VECTOR:
		return check_vector(walk, target, ARGUMENT_OF(what), false);
	case TABLES:
		if (!check_vector(walk, target, 4, false)) {
			return false;
		}
		place->elements = petite_u32_at(walk->file, target);
		place->next = target + 4;
		return true;
	case TABLE:
		return push(walk, ARGUMENT_OF(what), target);
	case UNION:
		return place->tag != 0 &&
		       push(walk, (uint8_t)(ARGUMENT_OF(what) + place->tag - 1), target);
	default:
		return false;
	}
}

/**
 * The fields that are next, up to the end of the table or to one with tables of its own. What a
 * table holds itself need not be counted as visited: it is no more than its vtable, which was.
 */
static bool check_slots(struct walk *walk, struct place *place)
{
	const field *fields = tables[place->table].fields;
	const uint32_t known = tables[place->table].count;
	const uint32_t slots = place->slots;
	const uint32_t depth = walk->depth;
	uint32_t slot = place->slot;

	walk->at = place->at;
	for (; slot < slots || slot < known; slot++) {
		uint32_t offset =
			slot < slots ? petite_u16_at(walk->file, place->vtable + 4 + 2 * slot) : 0;
		uint32_t what = slot < known ? fields[slot] : UNUSED;
		uint32_t at = place->at + offset;
		uint32_t kind = KIND_OF(what);
		/* An offset has 4 bytes, and a tag one. */
		uint32_t size = kind == NUMBER ? ARGUMENT_OF(what) : kind == TAG ? 1 : 4;

		if (offset == 0 && (what & REQUIRED) == 0) {
			continue;
		}
		if (offset < 4 || at > walk->end - size) {
			return false;
		}
		if (kind == TAG) {
			place->tag = petite_u8_at(walk->file, at);
			if (place->tag > ARGUMENT_OF(what)) {
				return false;
			}
		} else if (kind != NUMBER) {
			place->slot = (uint16_t)(slot + 1);
			if (!check_offset(walk, place, what, at)) {
				return false;
			}
			if (walk->depth != depth || place->elements > 0) {
				return true;
			}
		}
	}
	place->slot = (uint16_t)slot;
	return true;
}

/** The next table of a vector; the vector is the field before the slot that is next. */
static bool check_element(struct walk *walk, struct place *place)
{
	uint8_t table = ARGUMENT_OF(tables[place->table].fields[place->slot - 1]);
	uint32_t at = place->next;

	place->elements--;
	place->next += 4;
	return push(walk, table, follow(walk, at));
}

static bool check_all(struct walk *walk)
{
	while (walk->depth > 0) {
		struct place *place = &walk->places[walk->depth - 1];
		bool is_right = true;

		if (place->elements > 0) {
			is_right = check_element(walk, place);
		} else if (place->slot < place->slots || place->slot < tables[place->table].count) {
			is_right = check_slots(walk, place);
		} else {
			walk->depth--;
		}
		if (!is_right) {
			return false;
		}
	}
	return true;
}

bool petite_verify_tables(const struct petite_file *file, uint32_t *at)
{
	struct walk walk = {
		.file = file,
		.first = file->first,
		.end = file->tables,
		.budget = 2 * file->tables,
	};
	bool is_right = push(&walk, PROGRAM, file->root) && check_all(&walk);

	*at = walk.at;
	return is_right;
}
