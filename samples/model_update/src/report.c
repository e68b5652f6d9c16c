/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stddef.h>

#include "text.h"

void update_report_ok(void)
{
	update_print("ok\n");
}

void update_report_error(const char *text)
{
	update_print("error: ");
	update_print(text);
	update_print("\n");
}

static void report_size(const struct update_store *store)
{
	update_print("error: a program has 1 to ");
	update_print_number(update_store_capacity(store));
	update_print(" bytes: make the partition larger, or the model smaller\n");
}

void update_report_status(const struct update_store *store, enum update_status status)
{
	switch (status) {
	case UPDATE_OK:
		update_report_ok();
		break;
	case UPDATE_ERR_PARTITION:
		update_report_error("there is no partition for models that can be used: look at "
				    "the port to this board, flash_*.c");
		break;
	case UPDATE_ERR_SIZE:
		report_size(store);
		break;
	case UPDATE_ERR_CRC:
		update_report_error("what was stored has another CRC-32 than you said: send it "
				    "again");
		break;
	case UPDATE_ERR_FLASH:
		update_report_error("flash was not erased or not written: try again; if it fails "
				    "again, it is locked or worn out");
		break;
	}
}

static const char *state_name(enum update_slot_state state)
{
	switch (state) {
	case UPDATE_SLOT_EMPTY:
		return "empty";
	case UPDATE_SLOT_DAMAGED:
		return "damaged, not used";
	case UPDATE_SLOT_UNKNOWN:
		return "of a kind that this firmware does not know, not used";
	default:
		return "";
	}
}

void update_report_slot(const struct update_store *store, uint32_t slot, uint32_t in_use)
{
	const struct update_slot found = update_store_look(store, slot);

	update_print("slot ");
	update_print_number(slot);
	update_print(": ");
	update_print(state_name(found.state));
	if (found.state == UPDATE_SLOT_VALID) {
		update_print_number(found.size);
		update_print(" bytes, CRC-32 ");
		update_print_hex(found.crc);
		update_print(", number ");
		update_print_number(found.sequence);
		update_print(slot == in_use ? ", in use" : "");
	}
	update_print("\n");
}

/* --- programs that are refused ----------------------------------------------------------------
 */

static const char *reason(enum petite_status status)
{
	switch (status) {
	case PETITE_ERR_FORMAT:
		return "this is no sound program: send a .pte of ExecuTorch 1.5.1, all of it";
	case PETITE_ERR_NOT_REGISTERED:
		return "the firmware lacks this operator for these element types: build it with "
		       "more operators, or send another model";
	case PETITE_ERR_UNSUPPORTED:
		return "this is not loaded on a device: docs/loading.md says what is";
	default:
		return "the loader failed: this is a fault of the firmware";
	}
}

/** Where in the file, as far as it is known: byte, instruction, operator. */
static void print_place(const struct petite_load_fault *fault)
{
	update_print("at byte ");
	update_print_number(fault->byte);
	if (fault->instruction >= 0) {
		update_print(", instruction ");
		update_print_number((uint32_t)fault->instruction);
	}
	if (fault->operator_name != NULL) {
		update_print(", ");
		update_print_name(fault->operator_name);
	}
	if (fault->overload != NULL && fault->overload[0] != '\0') {
		update_print(".");
		update_print_name(fault->overload);
	}
}

static void print_pair(const char *before, uint32_t first, const char *between, uint32_t second)
{
	update_print(before);
	update_print_number(first);
	update_print(between);
	update_print_number(second);
}

static void print_verdict(const struct update_verdict *verdict)
{
	if (verdict->status == PETITE_ERR_MEMORY) {
		print_pair(": it needs ", verdict->need.structures, " bytes for structures and ",
			   verdict->need.arena);
		print_pair(" for the arena, and there are ", UPDATE_STRUCTURES_BYTES, " and ",
			   UPDATE_ARENA_BYTES);
		update_print(": build the firmware with more, or send a smaller model\n");
		return;
	}
	update_print(" ");
	print_place(&verdict->fault);
	update_print(": ");
	update_print(reason(verdict->status));
	update_print("\n");
}

void update_report_refused_slot(uint32_t slot, const struct update_verdict *verdict)
{
	update_print("slot ");
	update_print_number(slot);
	update_print(" is refused");
	print_verdict(verdict);
}

void update_report_refused(const struct update_verdict *verdict)
{
	update_print("error: the program is refused");
	print_verdict(verdict);
}

/* --- the model that is loaded -----------------------------------------------------------------
 */

void update_report_memory(const struct petite_load_need *need)
{
	print_pair("memory: ", need->structures, " of ", UPDATE_STRUCTURES_BYTES);
	print_pair(" bytes for structures, ", need->arena, " of ", UPDATE_ARENA_BYTES);
	update_print(" for the arena\n");
}

static const char *dtype_name(uint8_t dtype)
{
	static const char *const names[] = {
		[PETITE_S8] = "int8",   [PETITE_S16] = "int16", [PETITE_S32] = "int32",
		[PETITE_S64] = "int64", [PETITE_U8] = "uint8",  [PETITE_F32] = "float32",
		[PETITE_BOOL] = "bool",
	};

	return dtype < sizeof(names) / sizeof(names[0]) && names[dtype] != NULL ? names[dtype]
										: "unknown";
}

void update_report_buffers(const char *name, const struct petite_buffer *buffers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		update_print(name);
		print_pair(" ", i, ": ", buffers[i].size);
		update_print(" bytes, ");
		update_print(dtype_name(buffers[i].dtype));
		update_print("\n");
	}
}

void update_report_output(uint32_t number, const struct petite_buffer *output)
{
	update_print("output ");
	update_print_number(number);
	update_print(" ");
	update_print(dtype_name(output->dtype));
	update_print(": ");
	update_print_bytes(output->data, output->size);
	update_print("\n");
}
