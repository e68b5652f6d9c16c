/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a compiled model, or loads a program and runs it, on the inputs of a file: the program
 * behind `petite run`.
 *
 * request.bin:  magic, method, calls, number of inputs, size of each input; then for each call the
 *               bytes of each input.
 * response.bin: magic, number of outputs, size of each output; then for each call the stack used
 *               and the bytes of each output; at the end, for a program that was loaded, the stack
 *               that loading used.
 *
 * Every number is an unsigned 32-bit little-endian word; petite/run/exchange.py is the other end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <petite/executor.h>
#include <petite/platform.h>

#include "model.h"
#include "port.h"

#ifdef MODEL_IS_LOADED
#include "loaded.h"
#endif

#define REQUEST_MAGIC 0x51525450U  /* "PTRQ" */
#define RESPONSE_MAGIC 0x53525450U /* "PTRS" */

struct request {
	uint32_t magic;
	uint32_t method;
	uint32_t calls;
	uint32_t input_count;
};

static bool fail(const char *what)
{
	petite_platform_write("petite: ");
	petite_platform_write(what);
	petite_platform_write("\n");
	return false;
}

static const char *status_name(int status)
{
	switch (status) {
	case PETITE_ERR_ARGUMENT:
		return "petite_run() returned PETITE_ERR_ARGUMENT";
	case PETITE_ERR_BUSY:
		return "petite_run() returned PETITE_ERR_BUSY";
	case PETITE_ERR_VERSION:
		return "petite_run() returned PETITE_ERR_VERSION";
	case PETITE_ERR_KERNEL:
		return "petite_run() returned PETITE_ERR_KERNEL";
	default:
		return "petite_run() failed";
	}
}

/* The plan that the request asks for; NULL, and a message, where the request does not fit it. */
static const struct petite_plan *read_header(struct request *header)
{
	const struct petite_plan *plan;

	if (!port_read(header, sizeof(*header)) || header->magic != REQUEST_MAGIC) {
		fail("request.bin is not a request of this version");
		return NULL;
	}
	if (header->method >= model_plan_count) {
		fail("the model has no method of that index");
		return NULL;
	}
#ifdef MODEL_IS_LOADED
	plan = load_method(header->method);
	if (plan == NULL) {
		return NULL;
	}
#else
	plan = model_plans[header->method];
#endif
	if (header->input_count != plan->input_count) {
		fail("the method takes another number of inputs");
		return NULL;
	}
	for (uint32_t i = 0; i < header->input_count; i++) {
		uint32_t size;

		if (!port_read(&size, sizeof(size))) {
			fail("request.bin ends too early");
			return NULL;
		}
		if (size != plan->inputs[i].size) {
			fail("an input has another size than the method takes");
			return NULL;
		}
	}
	return plan;
}

static bool write_header(const struct petite_plan *plan)
{
	const uint32_t words[] = {RESPONSE_MAGIC, plan->output_count};
	bool written = port_write(words, sizeof(words));

	for (uint32_t i = 0; i < plan->output_count && written; i++) {
		written = port_write(&plan->outputs[i].size, sizeof(uint32_t));
	}
	return written || fail("cannot write response.bin");
}

static bool run_call(const struct petite_plan *plan)
{
	uint32_t stack;
	int status;

	for (uint32_t i = 0; i < plan->input_count; i++) {
		if (!port_read(plan->inputs[i].data, plan->inputs[i].size)) {
			return fail("request.bin ends too early");
		}
	}
	status = port_run_measured(plan, &stack);
	if (status != PETITE_OK) {
		return fail(status_name(status));
	}
	if (!port_write(&stack, sizeof(stack))) {
		return fail("cannot write response.bin");
	}
	for (uint32_t i = 0; i < plan->output_count; i++) {
		if (!port_write(plan->outputs[i].data, plan->outputs[i].size)) {
			return fail("cannot write response.bin");
		}
	}
	return true;
}

static bool run_request(void)
{
	const struct petite_plan *plan;
	struct request header;

	if (!port_open()) {
		return fail("cannot open request.bin and response.bin");
	}
	plan = read_header(&header);
	if (plan == NULL || !write_header(plan)) {
		return false;
	}
	for (uint32_t i = 0; i < header.calls; i++) {
		if (!run_call(plan)) {
			return false;
		}
	}
#ifdef MODEL_IS_LOADED
	if (!port_write(&load_stack, sizeof(load_stack))) {
		return fail("cannot write response.bin");
	}
#endif
	return port_close() || fail("cannot write response.bin");
}

int main(void)
{
	return run_request() ? 0 : 1;
}
