/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a program and runs it: load_program FILE METHOD INPUTS OUTPUTS CALLS. INPUTS holds all
 * inputs of all calls, one behind the other; OUTPUTS gets the outputs in the same form. Prints what
 * the method needs, or where it was refused, and exits with 2 then.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <petite/executor.h>
#include <petite/loader.h>

extern const struct petite_operator_table operators;

static void *read_file(const char *path, uint32_t *size)
{
	FILE *file = fopen(path, "rb");
	void *bytes;
	long length;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
		exit(1);
	}
	length = ftell(file);
	rewind(file);
	/* Exactly as large as the file, so that a read beyond its end is seen. */
	if (posix_memalign(&bytes, 16, length > 0 ? (size_t)length : 1) != 0 ||
	    fread(bytes, 1, (size_t)length, file) != (size_t)length) {
		exit(1);
	}
	fclose(file);
	*size = (uint32_t)length;
	return bytes;
}

static void *memory(uint32_t size)
{
	void *bytes;

	if (posix_memalign(&bytes, 16, size > 0 ? size : 1) != 0) {
		exit(1);
	}
	return bytes;
}

static int refused(enum petite_status status, const struct petite_load_fault *fault)
{
	printf("refused %d byte %" PRIu32 " instruction %" PRId32 " operator %s.%s\n", (int)status,
	       fault->byte, fault->instruction, fault->operator_name ? fault->operator_name : "",
	       fault->overload ? fault->overload : "");
	return 2;
}

int main(int argc, char **argv)
{
	struct petite_program program = {.operators = &operators};
	struct petite_load_need need;
	struct petite_load_fault fault;
	struct petite_load_memory where;
	const struct petite_plan *plan;
	enum petite_status status;
	FILE *inputs;
	FILE *outputs;

	if (argc != 6) {
		return 1;
	}
	program.bytes = read_file(argv[1], &program.size);
	program.method = argv[2][0] == '\0' ? NULL : argv[2];
	status = petite_load_plan(&program, &need, &fault);
	if (status != PETITE_OK) {
		return refused(status, &fault);
	}
	printf("structures %" PRIu32 " arena %" PRIu32 " copied %" PRIu32 "\n", need.structures,
	       need.arena, need.copied);
	where = (struct petite_load_memory){memory(need.structures), need.structures,
					    memory(need.arena), need.arena};
	status = petite_load(&program, &where, &plan, &fault);
	if (status != PETITE_OK) {
		return refused(status, &fault);
	}
	inputs = fopen(argv[3], "rb");
	outputs = fopen(argv[4], "wb");
	if (inputs == NULL || outputs == NULL) {
		return 1;
	}
	for (long call = strtol(argv[5], NULL, 10); call > 0; call--) {
		for (uint32_t i = 0; i < plan->input_count; i++) {
			const struct petite_buffer *buffer = &plan->inputs[i];

			if (fread(buffer->data, 1, buffer->size, inputs) != buffer->size) {
				return 1;
			}
		}
		status = petite_run(plan);
		if (status != PETITE_OK) {
			printf("failed %d\n", (int)status);
			return 3;
		}
		for (uint32_t i = 0; i < plan->output_count; i++) {
			const struct petite_buffer *buffer = &plan->outputs[i];

			if (fwrite(buffer->data, 1, buffer->size, outputs) != buffer->size) {
				return 1;
			}
		}
	}
	fclose(inputs);
	fclose(outputs);
	return 0;
}
