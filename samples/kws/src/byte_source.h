/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A file, as far as a parser needs to know.
 */
#ifndef KWS_BYTE_SOURCE_H
#define KWS_BYTE_SOURCE_H

#include <stdint.h>

/** Bytes, read once from front to back. */
struct kws_byte_source {
	/** Read up to @p size bytes; returns how many there were, fewer only at the end. */
	uint32_t (*read)(void *context, void *data, uint32_t size);
	void *context;
};

#endif /* KWS_BYTE_SOURCE_H */
