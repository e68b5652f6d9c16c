/* SPDX-License-Identifier: Apache-2.0 */
#include "port.h"

#include <petite/executor.h>
#include <petite/platform.h>

#include <platform/cortex_m/semihosting.h>
#include <platform/cortex_m/stack.h>

static int32_t request;
static int32_t response;

bool port_open(void)
{
	request = petite_semihosting_open("request.bin", PETITE_SEMIHOSTING_READ);
	response = petite_semihosting_open("response.bin", PETITE_SEMIHOSTING_WRITE);
	return request >= 0 && response >= 0;
}

bool port_read(void *data, uint32_t size)
{
	return petite_semihosting_read(request, data, size) == size;
}

bool port_write(const void *data, uint32_t size)
{
	return petite_semihosting_write(response, data, size) == size;
}

bool port_close(void)
{
	petite_semihosting_close(request);
	return petite_semihosting_close(response) == 0;
}

/* Inlined, so that a compiled model pays for no call through a pointer: runners are measured too.
 */
static inline __attribute__((always_inline)) int measure(port_work work, const void *argument,
							 uint32_t *stack)
{
	const uint32_t pointer = petite_stack_pointer();
	int status;

	petite_stack_paint();
	petite_mark_start();
	status = work(argument);
	petite_mark_stop();
	*stack = petite_stack_used(pointer);
	if (petite_stack_exhausted()) {
		petite_platform_write(
			"petite: the stack is used to its end and may have overflowed\n");
		return -1000;
	}
	return status;
}

static int run(const void *plan)
{
	return petite_run(plan);
}

int port_run_measured(const struct petite_plan *plan, uint32_t *stack)
{
	return measure(run, plan, stack);
}

int port_measure(port_work work, const void *argument, uint32_t *stack)
{
	return measure(work, argument, stack);
}
