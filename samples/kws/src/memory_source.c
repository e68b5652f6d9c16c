/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_source.h"

#include <string.h>

uint32_t kws_memory_read(void *context, void *data, uint32_t size)
{
	struct kws_memory *memory = context;
	uint32_t count = size < memory->left ? size : memory->left;

	memcpy(data, memory->bytes, count);
	memory->bytes += count;
	memory->left -= count;
	return count;
}
