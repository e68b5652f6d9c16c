/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads damaged variants of a program, and runs those that are accepted:
 *
 *     hostile_program truncations FIRST STEP FILE     cut at FIRST, FIRST + STEP, ... bytes
 *     hostile_program changes FIRST STEP FILE         each of 255 other values in those bytes
 *     hostile_program files FILE...                   as they are
 *
 * Each variant lies in memory of exactly its size, and so do the memories that it asks for, so that
 * the address sanitizer sees every access beyond them. Prints how many were accepted and refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "try_program.h"

static uint8_t *read_file(const char *path, uint32_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long length;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) {
		exit(1);
	}
	rewind(file);
	bytes = malloc((size_t)length + 1);
	if (bytes == NULL || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
		exit(1);
	}
	fclose(file);
	*size = (uint32_t)length;
	return bytes;
}

static unsigned long tried[2];

static void try_once(const uint8_t *bytes, uint32_t size)
{
	tried[try_program(bytes, size) ? 1 : 0]++;
}

static void change(uint8_t *bytes, uint32_t size, uint32_t at)
{
	const uint8_t original = bytes[at];

	for (uint32_t difference = 1; difference < 256; difference++) {
		bytes[at] = (uint8_t)(original + difference);
		try_once(bytes, size);
	}
	bytes[at] = original;
}

static void try_variants(const char *kind, uint32_t first, uint32_t step, const char *path)
{
	uint32_t size;
	uint8_t *bytes = read_file(path, &size);

	for (uint32_t at = first; at < size; at += step) {
		if (strcmp(kind, "changes") == 0) {
			change(bytes, size, at);
		} else {
			try_once(bytes, at);
		}
	}
	free(bytes);
}

static void try_file(const char *path)
{
	uint32_t size;
	uint8_t *bytes = read_file(path, &size);

	try_once(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		return 1;
	}
	if (strcmp(argv[1], "files") == 0) {
		for (int i = 2; i < argc; i++) {
			try_file(argv[i]);
		}
	} else if (argc == 5) {
		try_variants(argv[1], (uint32_t)strtoul(argv[2], NULL, 10),
			     (uint32_t)strtoul(argv[3], NULL, 10), argv[4]);
	} else {
		return 1;
	}
	printf("accepted %lu refused %lu\n", tried[1], tried[0]);
	return 0;
}
