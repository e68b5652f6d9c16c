/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Bytes that lie in memory.
 */
#ifndef KWS_MEMORY_SOURCE_H
#define KWS_MEMORY_SOURCE_H

#include <stdint.h>

/** Bytes that have not been read yet. */
struct kws_memory {
	const uint8_t *bytes;
	uint32_t left;
};

/** @brief Read up to @p size bytes; a kws_byte_source whose context is a struct kws_memory. */
uint32_t kws_memory_read(void *memory, void *data, uint32_t size);

#endif /* KWS_MEMORY_SOURCE_H */
