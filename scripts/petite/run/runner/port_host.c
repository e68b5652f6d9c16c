/* SPDX-License-Identifier: Apache-2.0 */
#include "port.h"

#include <stdio.h>

#include <petite/executor.h>

static FILE *request;
static FILE *response;

bool port_open(void)
{
	request = fopen("request.bin", "rb");
	response = fopen("response.bin", "wb");
	return request != NULL && response != NULL;
}

bool port_read(void *data, uint32_t size)
{
	return fread(data, 1, size, request) == size;
}

bool port_write(const void *data, uint32_t size)
{
	return fwrite(data, 1, size, response) == size;
}

bool port_close(void)
{
	fclose(request);
	return fclose(response) == 0;
}

int port_measure(port_work work, const void *argument, uint32_t *stack)
{
	*stack = PORT_STACK_UNKNOWN;
	return work(argument);
}

int port_run_measured(const struct petite_plan *plan, uint32_t *stack)
{
	*stack = PORT_STACK_UNKNOWN;
	return petite_run(plan);
}
