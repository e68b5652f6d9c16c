/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage-guided: what libFuzzer makes of the corpus is loaded and, where accepted, run. Half of
 * the changes are of bytes, the others of what the program says.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mutate_program.h"
#include "try_program.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= UINT32_MAX) {
		try_program(data, (uint32_t)size);
	}
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	void *copy;
	bool is_changed = false;

	if (seed % 2 == 0 || size > UINT32_MAX || posix_memalign(&copy, 16, size + 1) != 0) {
		return LLVMFuzzerMutate(data, size, most);
	}
	memcpy(copy, data, size);
	for (unsigned int k = 0; k <= seed / 2 % 3; k++) {
		is_changed |= mutate_program(copy, (uint32_t)size, seed + k);
	}
	memcpy(data, copy, size);
	free(copy);
	return is_changed ? size : LLVMFuzzerMutate(data, size, most);
}
