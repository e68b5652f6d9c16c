/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs kernels for the tests: reads calls from standard input, writes results to standard output.
 *
 * Every array of a call is an allocation of its own, of exactly its size, so that the address
 * sanitizer sees each access outside of it. All numbers are of the host's byte order.
 *
 * A call: kernel, number of arrays, for each array its size and bytes; size and bytes of the
 * parameter structure; number of pointers in it, for each where it is in the structure, which array
 * it points into, and how far. The answer: the kernel's status, then the bytes of every array.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_driver.h"

#define MAX_ARRAYS 16

struct array {
	uint32_t size;
	unsigned char *data;
};

static void read_bytes(void *to, size_t size)
{
	if (fread(to, 1, size, stdin) != size) {
		fprintf(stderr, "the call ended early\n");
		exit(2);
	}
}

static uint32_t read_number(void)
{
	uint32_t number;

	read_bytes(&number, sizeof(number));
	return number;
}

static unsigned char *read_block(uint32_t *size)
{
	unsigned char *data;

	*size = read_number();
	data = malloc(*size);
	if (data == NULL) {
		exit(2);
	}
	read_bytes(data, *size);
	return data;
}

static void run_call(uint32_t kernel)
{
	struct array arrays[MAX_ARRAYS];
	uint32_t count = read_number();
	uint32_t size;
	unsigned char *params;
	int32_t status;

	if (kernel >= kernel_count || count > MAX_ARRAYS) {
		exit(2);
	}
	for (uint32_t i = 0; i < count; i++) {
		arrays[i].data = read_block(&arrays[i].size);
	}
	params = read_block(&size);
	for (uint32_t left = read_number(); left > 0; left--) {
		uint32_t at = read_number();
		uint32_t array = read_number();
		unsigned char *address = arrays[array].data + read_number();

		memcpy(params + at, &address, sizeof(address));
	}
	status = kernels[kernel](params);
	fwrite(&status, sizeof(status), 1, stdout);
	for (uint32_t i = 0; i < count; i++) {
		fwrite(arrays[i].data, 1, arrays[i].size, stdout);
		free(arrays[i].data);
	}
	fflush(stdout);
	free(params);
}

int main(void)
{
	uint32_t kernel;

	while (fread(&kernel, sizeof(kernel), 1, stdin) == 1) {
		run_call(kernel);
	}
	return 0;
}
