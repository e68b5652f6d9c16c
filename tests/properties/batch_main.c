/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs many models, each a few times: the program behind batch.py.
 *
 * request.bin:  first case and end of cases; then for each case the number of calls, and for each
 *               call the bytes of each input.
 * response.bin: for each call its status, the bytes of each input as the call left them, and the
 *               bytes of each output.
 *
 * Every number is an unsigned 32-bit little-endian word.
 */
#include <stdbool.h>
#include <stdint.h>

#include <petite/executor.h>
#include <petite/platform.h>

#include "model.h"
#include "port.h"

static bool fail(const char *what)
{
	petite_platform_write("petite: ");
	petite_platform_write(what);
	petite_platform_write("\n");
	return false;
}

/* A model must not depend on what an arena holds, least of all on zeros. */
static void litter(const struct batch_case *model, uint32_t call)
{
	uint32_t noise = call + 1U;

	for (uint32_t i = 0; i < model->arena_size; i++) {
		noise = noise * 1664525U + 1013904223U;
		model->arena[i] = (uint8_t)(noise >> 24);
	}
}

static bool transfer(const struct petite_buffer *buffers, uint32_t count,
		     bool (*move)(const struct petite_buffer *buffer))
{
	for (uint32_t i = 0; i < count; i++) {
		if (!move(&buffers[i])) {
			return fail("request.bin or response.bin is at its end");
		}
	}
	return true;
}

static bool get(const struct petite_buffer *buffer)
{
	return port_read(buffer->data, buffer->size);
}

static bool put(const struct petite_buffer *buffer)
{
	return port_write(buffer->data, buffer->size);
}

static bool run_call(const struct petite_plan *plan)
{
	uint32_t stack;
	uint32_t status;

	if (!transfer(plan->inputs, plan->input_count, get)) {
		return false;
	}
	status = (uint32_t)port_run_measured(plan, &stack);
	return port_write(&status, sizeof(status)) &&
	       transfer(plan->inputs, plan->input_count, put) &&
	       transfer(plan->outputs, plan->output_count, put);
}

static bool run_case(const struct batch_case *model)
{
	uint32_t calls;

	if (!port_read(&calls, sizeof(calls))) {
		return fail("request.bin ends too early");
	}
	for (uint32_t call = 0; call < calls; call++) {
		litter(model, call);
		if (!run_call(model->plan)) {
			return false;
		}
	}
	return true;
}

int main(void)
{
	uint32_t cases[2];

	if (!port_open() || !port_read(cases, sizeof(cases)) || cases[1] > batch_case_count) {
		fail("request.bin is no request for this batch");
		return 1;
	}
	for (uint32_t i = cases[0]; i < cases[1]; i++) {
		if (!run_case(&batch_cases[i])) {
			return 1;
		}
	}
	return port_close() ? 0 : 1;
}
