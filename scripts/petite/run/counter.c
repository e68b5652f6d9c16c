/* SPDX-License-Identifier: Apache-2.0 */
/*
 * QEMU plugin: counts the instructions that the guest executes between two functions.
 *
 * Arguments: start=ADDRESS,stop=ADDRESS,out=FILE[,blocks=FILE]
 *
 * Each time `stop` is entered, one line goes to `out`, about what was executed since `start` was
 * entered: the instructions of each class (instruction_class.h), how often the flow changed other
 * than by the end of a low-overhead loop, and the cycles of cycle_model.h. (QEMU executes the loop
 * end in each round; on silicon it costs nothing.) The functions themselves are not counted.
 * `blocks` gets, for the last such interval, a line for each block of code: its address and how
 * many instructions were executed in it.
 *
 * The prototypes are declared here because distributions rarely ship QEMU's header. QEMU changed
 * the way instructions are read in version 3 of its plugin interface (QEMU 9.1): PLUGIN_API, given
 * by whoever compiles this file, says which version to speak.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycle_model.h"
#include "instruction_class.h"

#ifndef PLUGIN_API
#define PLUGIN_API 1
#endif

typedef uint64_t qemu_plugin_id_t;
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { CALLBACK_NO_REGISTERS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int, void *), int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
#if PLUGIN_API >= 3
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *data, size_t size);
#else
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
#endif

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = PLUGIN_API;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
			       char **argv);

/* A translated block. QEMU may translate the same code again: then it is in the list twice. */
struct block {
	struct block *next;
	uint64_t address;
	uint64_t executed;
	uint64_t taken;
	uint64_t end;
	uint32_t instructions;
	uint32_t classes[CLASS_COUNT];
	uint32_t cycles;
	bool is_left_for_free;
};

/* What has been executed. */
struct totals {
	uint64_t classes[CLASS_COUNT];
	uint64_t taken;
	uint64_t cycles;
};

static struct block *blocks;
static struct block *last;
static bool counting;
static uint64_t start_address;
static uint64_t stop_address;
static const char *out_path;
static const char *blocks_path;

static struct instruction read_instruction(const struct qemu_plugin_insn *insn)
{
	uint16_t half[2] = {0, 0};
	const size_t size = qemu_plugin_insn_size(insn);

#if PLUGIN_API >= 3
	qemu_plugin_insn_data(insn, half, size);
#else
	memcpy(half, qemu_plugin_insn_data(insn), size);
#endif
	return classify(half[0], half[1]);
}

static void start(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	for (struct block *block = blocks; block != NULL; block = block->next) {
		block->executed = 0;
		block->taken = 0;
	}
	last = NULL;
	counting = true;
}

static FILE *open_or_die(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (file == NULL) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return file;
}

static void write_blocks(void)
{
	FILE *file = open_or_die(blocks_path, "w");

	for (const struct block *block = blocks; block != NULL; block = block->next) {
		if (block->executed != 0) {
			fprintf(file, "%" PRIu64 " %" PRIu64 "\n", block->address,
				block->executed * block->instructions);
		}
	}
	fclose(file);
}

static void add(struct totals *totals, const struct block *block)
{
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		totals->classes[i] += block->executed * block->classes[i];
	}
	totals->taken += block->taken;
	totals->cycles += block->executed * block->cycles + block->taken * TAKEN_CYCLES;
}

static void stop(unsigned int cpu, void *data)
{
	struct totals totals = {0};
	FILE *file;

	(void)cpu;
	(void)data;
	counting = false;
	for (const struct block *block = blocks; block != NULL; block = block->next) {
		add(&totals, block);
	}
	/* Written at once: a guest that faults later must not take the figures with it. */
	file = open_or_die(out_path, "a");
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		fprintf(file, "%" PRIu64 " ", totals.classes[i]);
	}
	fprintf(file, "%" PRIu64 " %" PRIu64 "\n", totals.taken, totals.cycles);
	fclose(file);
	if (blocks_path != NULL) {
		write_blocks();
	}
}

static void execute(unsigned int cpu, void *data)
{
	struct block *block = data;

	(void)cpu;
	if (!counting) {
		return;
	}
	block->executed++;
	if (last != NULL && last->end != block->address && !last->is_left_for_free) {
		last->taken++;
	}
	last = block;
}

/* Classes, cycles and end of a block, from its instructions. */
static void examine(struct block *block, const struct qemu_plugin_tb *tb)
{
	struct instruction *read = calloc(block->instructions, sizeof(*read));

	if (read == NULL) {
		fprintf(stderr, "counter: out of memory\n");
		exit(EXIT_FAILURE);
	}
	block->end = block->address;
	for (size_t i = 0; i < block->instructions; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		read[i] = read_instruction(insn);
		block->classes[read[i].class]++;
		block->end += qemu_plugin_insn_size(insn);
		block->is_left_for_free = read[i].class == CLASS_LOOP_END;
	}
	block->cycles = block_cycles(read, block->instructions);
	free(read);
}

static struct block *new_block(const struct qemu_plugin_tb *tb)
{
	struct block *block = calloc(1, sizeof(*block));

	if (block == NULL) {
		fprintf(stderr, "counter: out of memory\n");
		exit(EXIT_FAILURE);
	}
	block->address = qemu_plugin_tb_vaddr(tb);
	block->instructions = (uint32_t)qemu_plugin_tb_n_insns(tb);
	examine(block, tb);
	block->next = blocks;
	blocks = block;
	return block;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const uint64_t address = qemu_plugin_tb_vaddr(tb);

	(void)id;
	if (address == start_address) {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, start, CALLBACK_NO_REGISTERS, NULL);
	} else if (address == stop_address) {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, stop, CALLBACK_NO_REGISTERS, NULL);
	} else {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, execute, CALLBACK_NO_REGISTERS,
						     new_block(tb));
	}
}

static bool take_argument(const char *argument)
{
	const char *equals = strchr(argument, '=');
	/* QEMU keeps the arguments for as long as the plugin lives. */
	const char *value = equals == NULL ? NULL : equals + 1;

	if (value == NULL) {
		return false;
	}
	if (strncmp(argument, "start=", 6) == 0) {
		start_address = strtoull(value, NULL, 0);
	} else if (strncmp(argument, "stop=", 5) == 0) {
		stop_address = strtoull(value, NULL, 0);
	} else if (strncmp(argument, "out=", 4) == 0) {
		out_path = value;
	} else if (strncmp(argument, "blocks=", 7) == 0) {
		blocks_path = value;
	} else {
		return false;
	}
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!take_argument(argv[i])) {
			fprintf(stderr, "counter: bad argument '%s'\n", argv[i]);
			return -1;
		}
	}
	if (out_path == NULL) {
		fprintf(stderr, "counter: no file to write to\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
