/* SPDX-License-Identifier: Apache-2.0 */
#include "protocol.h"

#include <stddef.h>

#include <petite/platform.h>

#include "model.h"
#include "report.h"
#include "store.h"
#include "text.h"
#include "transfer.h"

#define LONGEST_LINE 64
/* A clock of fewer ticks says nothing of one inference. */
#define TICKS_PER_SECOND 100000

static struct update_store store;
/** The slot that the loaded model runs out of. */
static uint32_t in_use = UPDATE_NO_SLOT;

/* --- which program runs -----------------------------------------------------------------------
 */

/** Load the newest program that can be loaded; those that cannot are named. */
static void load_newest(void)
{
	uint32_t slot = update_store_newest(&store, UPDATE_NO_SLOT);

	in_use = UPDATE_NO_SLOT;
	update_model_unload();
	for (uint32_t tried = 0; tried < UPDATE_SLOTS && slot != UPDATE_NO_SLOT; tried++) {
		const struct update_slot found = update_store_look(&store, slot);
		const struct update_verdict verdict = update_model_load(found.program, found.size);

		if (verdict.status == PETITE_OK) {
			in_use = slot;
			return;
		}
		update_report_refused_slot(slot, &verdict);
		slot = update_store_newest(&store, slot);
	}
}

void update_start(void)
{
	const enum update_status status = update_store_open(&store);

	update_print("\nPetite's model update; type help\n");
	if (status != UPDATE_OK) {
		update_report_status(&store, status);
		return;
	}
	load_newest();
	if (in_use == UPDATE_NO_SLOT) {
		update_print("no model: send one, python update.py --port PORT put model.pte\n");
	} else {
		update_report_slot(&store, in_use, in_use);
	}
}

/* --- commands ---------------------------------------------------------------------------------
 */

static void help(void)
{
	update_print("info            what is stored, and what the model takes and gives\n"
		     "put BYTES CRC   store a program (update.py put FILE sends it)\n"
		     "run             one inference (update.py run sends the inputs)\n"
		     "erase           forget all programs\n");
	update_report_ok();
}

static void report_model(const struct petite_plan *plan)
{
	const struct update_slot found = update_store_look(&store, in_use);
	const struct update_verdict verdict = update_model_check(found.program, found.size);

	update_report_memory(&verdict.need);
	update_report_buffers("input", plan->inputs, plan->input_count);
	update_report_buffers("output", plan->outputs, plan->output_count);
}

static void info(void)
{
	const struct petite_plan *plan = update_model_plan();

	for (uint32_t slot = 0; slot < UPDATE_SLOTS; slot++) {
		update_report_slot(&store, slot, in_use);
	}
	update_print("largest program: ");
	update_print_number(update_store_capacity(&store));
	update_print(" bytes\n");
	if (plan != NULL) {
		report_model(plan);
	}
	update_report_ok();
}

static bool receive_program(uint32_t size)
{
	static uint8_t block[UPDATE_BLOCK];
	enum update_status status = update_store_begin(&store, in_use, size);

	for (uint32_t at = 0; at < size && status == UPDATE_OK; at += UPDATE_BLOCK) {
		const uint32_t count = size - at < UPDATE_BLOCK ? size - at : UPDATE_BLOCK;

		if (!update_receive(at, block, count)) {
			update_report_error(
				"the program did not arrive; what ran before goes on: send it "
				"again");
			return false;
		}
		status = update_store_append(&store, block, count);
	}
	if (status != UPDATE_OK) {
		update_report_status(&store, status);
	}
	return status == UPDATE_OK;
}

/** Let a program that is whole count, if it can be loaded. */
static enum update_status accept_program(uint32_t crc, struct update_verdict *verdict)
{
	enum update_status status = update_store_check(&store, crc);

	if (status == UPDATE_OK) {
		*verdict = update_model_check(update_store_written(&store), store.size);
	}
	if (status == UPDATE_OK && verdict->status == PETITE_OK) {
		status = update_store_commit(&store);
	}
	return status;
}

static void put(const char *arguments)
{
	struct update_verdict verdict = {0};
	enum update_status status;
	uint32_t size, crc;

	if (!update_take_number(&arguments, &size) || !update_take_hex(&arguments, &crc) ||
	    *arguments != '\0') {
		update_report_error("write: put BYTES CRC, such as: put 3956 1a2b3c4d");
		return;
	}
	if (!receive_program(size)) {
		return;
	}
	status = accept_program(crc, &verdict);
	if (status != UPDATE_OK) {
		update_report_status(&store, status);
	} else if (verdict.status != PETITE_OK) {
		update_report_refused(&verdict);
	} else {
		load_newest();
		update_report_slot(&store, in_use, in_use);
		update_report_ok();
	}
}

/** Receive all inputs, one after the other. */
static bool receive_inputs(const struct petite_plan *plan)
{
	uint32_t offset = 0;

	for (uint32_t i = 0; i < plan->input_count; i++) {
		const struct petite_buffer *input = &plan->inputs[i];

		for (uint32_t at = 0; at < input->size; at += UPDATE_BLOCK) {
			const uint32_t left = input->size - at;
			const uint32_t count = left < UPDATE_BLOCK ? left : UPDATE_BLOCK;

			if (!update_receive(offset, (uint8_t *)input->data + at, count)) {
				return false;
			}
			offset += count;
		}
	}
	return true;
}

/** Run, and say how long it took where a clock can tell. */
static enum petite_status run_timed(const struct petite_plan *plan)
{
	const uint32_t rate = petite_platform_ticks_per_second();
	const bool is_timed = rate >= TICKS_PER_SECOND;
	const uint32_t start = is_timed ? petite_platform_ticks() : 0;
	const enum petite_status status = petite_run(plan);

	if (is_timed) {
		const uint64_t ticks = petite_platform_ticks() - start;

		update_print("time: ");
		update_print_number((uint32_t)(ticks * 1000000 / rate));
		update_print(" us\n");
	}
	return status;
}

static void run_model(const struct petite_plan *plan)
{
	const enum petite_status status = run_timed(plan);

	if (status == PETITE_ERR_DATA) {
		update_report_error("the model has no result for these inputs: an index is out of "
				    "range, or an integer was divided by zero");
		return;
	}
	if (status != PETITE_OK) {
		update_report_error("the model does not run: this is a fault of the firmware");
		return;
	}
	for (uint32_t i = 0; i < plan->output_count; i++) {
		update_report_output(i, &plan->outputs[i]);
	}
	update_report_ok();
}

static void run(void)
{
	const struct petite_plan *plan = update_model_plan();

	if (plan == NULL) {
		update_report_error("there is no model: put one first");
	} else if (!receive_inputs(plan)) {
		update_report_error("the inputs did not arrive: send them again");
	} else {
		run_model(plan);
	}
}

static void erase(void)
{
	update_model_unload();
	in_use = UPDATE_NO_SLOT;
	update_report_status(&store, update_store_erase(&store));
}

/** A command without arguments. */
static bool is_command(const char *line, const char *word)
{
	const char *rest;

	return update_take_word(line, word, &rest) && *rest == '\0';
}

static void obey(const char *line)
{
	const char *arguments;

	if (is_command(line, "help")) {
		help();
	} else if (store.slot_size == 0) {
		update_report_status(&store, UPDATE_ERR_PARTITION);
	} else if (is_command(line, "info")) {
		info();
	} else if (update_take_word(line, "put", &arguments)) {
		put(arguments);
	} else if (is_command(line, "run")) {
		run();
	} else if (is_command(line, "erase")) {
		erase();
	} else {
		update_report_error("there is no such command: type help");
	}
}

void update_serve(void)
{
	char line[LONGEST_LINE];

	if (!update_read_line(line, sizeof(line))) {
		update_report_error("the line is too long: type help");
	} else if (line[0] != '\0') {
		obey(line);
	}
}
