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

/** Fields of the tables, in the order of their slots. */
struct fields {
	field program[8];
	field execution_plan[10];
	field bytes[1];
	field data_segment[2];
	field subsegments[2];
	field named_data[2];
	field container_metadata[2];
	field evalue[2];
	field chain[4];
	field operator_name[2];
	field backend_delegate[3];
	field memory_device[3];
	field data_reference[2];
	field compile_spec[2];
	field frame_list[1];
	field frame[4];
	field three_ints[3];
	field tensor_info[5];
	field instruction[2];
	field call[2];
	field two_ints[2];
	field one_int[1];
	field value_64[1];
	field value_bool[1];
	field value_tensor[10];
	field value_string[1];
	field list_64[1];
	field list_32[1];
	field list_8[1];
};

static const union {
	struct fields of;
	field all[sizeof(struct fields) / sizeof(field)];
} fields = {{
	.program = {SOME(NUMBER, 4), MUST(TABLES, EXECUTION_PLAN), SOME(TABLES, BUFFER),
		    SOME(TABLES, BUFFER), SOME(TABLES, DATA_SEGMENT), SOME(TABLE, SUBSEGMENTS),
		    SOME(TABLES, SUBSEGMENTS), SOME(TABLES, NAMED_DATA)},
	.execution_plan = {MUST(TEXT, 0), SOME(TABLE, CONTAINER_METADATA), MUST(TABLES, EVALUE),
			   NUMBERS(4), NUMBERS(4), MUST(TABLES, CHAIN), SOME(TABLES, OPERATOR),
			   SOME(TABLES, BACKEND_DELEGATE), NUMBERS(8), SOME(TABLES, MEMORY_DEVICE)},
	.bytes = {SOME(VECTOR, 1)},
	.data_segment = {SOME(NUMBER, 8), SOME(NUMBER, 8)},
	.subsegments = {SOME(NUMBER, 4), SOME(VECTOR, 8)},
	.named_data = {MUST(TEXT, 0), SOME(NUMBER, 4)},
	.container_metadata = {SOME(TEXT, 0), SOME(TEXT, 0)},
	.evalue = {SOME(TAG, VALUES), MUST(UNION, VALUE_NULL)},
	.chain = {SOME(VECTOR, 4), SOME(VECTOR, 4), MUST(TABLES, INSTRUCTION),
		  SOME(TABLES, FRAME_LIST)},
	.operator_name = {MUST(TEXT, 0), SOME(TEXT, 0)},
	.backend_delegate = {MUST(TEXT, 0), MUST(TABLE, DATA_REFERENCE),
			     SOME(TABLES, COMPILE_SPEC)},
	.memory_device = {SOME(NUMBER, 4), SOME(NUMBER, 1), SOME(NUMBER, 1)},
	.data_reference = {SOME(NUMBER, 1), SOME(NUMBER, 4)},
	.compile_spec = {MUST(TEXT, 0), SOME(VECTOR, 1)},
	.frame_list = {SOME(TABLES, FRAME)},
	.frame = {SOME(TEXT, 0), SOME(NUMBER, 4), SOME(TEXT, 0), SOME(TEXT, 0)},
	.three_ints = {SOME(NUMBER, 4), SOME(NUMBER, 4), SOME(NUMBER, 4)},
	.tensor_info = {SOME(NUMBER, 8), SOME(TEXT, 0), SOME(NUMBER, 1), SOME(NUMBER, 1),
			SOME(NUMBER, 1)},
	.instruction = {SOME(TAG, INSTRUCTIONS), MUST(UNION, KERNEL_CALL)},
	.call = {SOME(NUMBER, 4), NUMBERS(4)},
	.two_ints = {SOME(NUMBER, 4), SOME(NUMBER, 4)},
	.one_int = {SOME(NUMBER, 4)},
	.value_64 = {SOME(NUMBER, 8)},
	.value_bool = {SOME(NUMBER, 1)},
	.value_tensor = {SOME(NUMBER, 1), SOME(NUMBER, 4), NUMBERS(4), NUMBERS(1), SOME(NUMBER, 1),
			 SOME(NUMBER, 4), SOME(TABLE, ALLOCATION), SOME(NUMBER, 1), SOME(NUMBER, 1),
			 SOME(TABLE, TENSOR_INFO)},
	.value_string = {MUST(TEXT, 0)},
	.list_64 = {NUMBERS(8)},
	.list_32 = {NUMBERS(4)},
	.list_8 = {NUMBERS(1)},
}};

/** The first field of a table, and how many there are. */
#define FIELDS(table)                                                                              \
	{offsetof(struct fields, table) / sizeof(field), sizeof(fields.of.table) / sizeof(field)}

static const struct {
	uint8_t first;
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

/** What a field of a table is. */
static inline uint32_t field_of(uint32_t table, uint32_t slot)
{
	return fields.all[tables[table].first + slot];
}

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
	/** A bit for each field that is left to look at, from slot `slot` on. */
	uint16_t left;
	uint8_t slot;
	uint8_t table;
	/** The member that a union is; 0 for none. */
	uint8_t tag;
};

/** What was found out of a vtable: most tables of a kind have the same one. */
struct shape {
	uint32_t vtable;
	/** Bytes from the table to behind its last field. */
	uint16_t end;
	/** A bit for each field whose contents say more than a number does. */
	uint16_t leading;
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
	/** The last vtable of each kind of table; 0 for none. */
	struct shape shapes[TABLE_COUNT];
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

/** Bytes of a field, as it lies in its table. */
static uint32_t size_of(uint32_t what)
{
	switch (KIND_OF(what)) {
	case NUMBER:
		return ARGUMENT_OF(what);
	case TAG:
		return 1;
	default:
		return 4;
	}
}

/** Whether a vtable is one of this kind of table: what it says of all tables that have it. */
static bool check_vtable(struct walk *walk, uint8_t table, uint32_t vtable)
{
	struct shape *shape = &walk->shapes[table];
	const uint32_t known = tables[table].count;
	uint32_t end = 4;
	uint32_t leading = 0;
	uint32_t slots;

	walk->at = vtable;
	if (vtable % 2 != 0 || vtable > walk->end - 4 ||
	    !visit(walk, vtable, petite_u16_at(walk->file, vtable)) ||
	    petite_u16_at(walk->file, vtable) < 4 || petite_u16_at(walk->file, vtable) % 2 != 0 ||
	    petite_u16_at(walk->file, vtable + 2) < 4) {
		return false;
	}
	slots = (petite_u16_at(walk->file, vtable) - 4u) / 2;
	for (uint32_t slot = 0; slot < slots || slot < known; slot++) {
		uint32_t what = slot < known ? field_of(table, slot) : UNUSED;
		uint32_t offset =
			slot < slots ? petite_u16_at(walk->file, vtable + 4 + 2 * slot) : 0;

		if (offset == 0 && (what & REQUIRED) == 0) {
			continue;
		}
		if (offset < 4 || KIND_OF(what) == UNUSED) {
			return false;
		}
		end = offset + size_of(what) > end ? offset + size_of(what) : end;
		leading |= KIND_OF(what) == NUMBER ? 0 : 1u << slot;
	}
	/* `end` may be a little beyond 16 bits: no table of the schema is as long. */
	if (end > UINT16_MAX) {
		return false;
	}
	*shape = (struct shape){
		.vtable = vtable, .end = (uint16_t)end, .leading = (uint16_t)leading};
	return true;
}

/** Begin to check a table. */
static bool push(struct walk *walk, uint8_t table, uint32_t at)
{
	struct place *place = &walk->places[walk->depth];
	const struct shape *shape = &walk->shapes[table];
	uint32_t vtable;

	if (at == 0 || walk->depth == DEEPEST || !visit(walk, at, 4)) {
		return false;
	}
	vtable = at - petite_u32_at(walk->file, at);
	walk->at = at;
	/* No vtable lies before the tables, where 0 stands for none known. */
	if (vtable < walk->first ||
	    (vtable != shape->vtable && !check_vtable(walk, table, vtable))) {
		return false;
	}
	walk->at = at;
	if (shape->end > walk->end - at) {
		return false;
	}
	place->at = at;
	place->vtable = vtable;
	place->elements = 0;
	place->left = shape->leading;
	place->slot = 0;
	place->table = table;
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

/** The fields that are next, up to the last one or to one with tables of its own. */
static bool check_fields(struct walk *walk, struct place *place)
{
	const uint32_t depth = walk->depth;

	while (place->left != 0 && walk->depth == depth && place->elements == 0) {
		uint32_t slot = place->slot++;
		uint32_t is_there = place->left & 1u;
		uint32_t what = field_of(place->table, slot);
		uint32_t at;

		place->left >>= 1;
		if (!is_there) {
			continue;
		}
		at = place->at + petite_u16_at(walk->file, place->vtable + 4 + 2 * slot);
		if (KIND_OF(what) == TAG) {
			place->tag = petite_u8_at(walk->file, at);
			walk->at = at;
			if (place->tag > ARGUMENT_OF(what)) {
				return false;
			}
		} else if (!check_offset(walk, place, what, at)) {
			return false;
		}
	}
	return true;
}

/** The next table of a vector; the vector is the field before the slot that is next. */
static bool check_element(struct walk *walk, struct place *place)
{
	uint8_t table = ARGUMENT_OF(field_of(place->table, place->slot - 1u));
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
		} else if (place->left != 0) {
			is_right = check_fields(walk, place);
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
