/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Files to read, wherever the program runs: files_semihosting.c, files_host.c.
 */
#ifndef KWS_FILES_H
#define KWS_FILES_H

#include <stdbool.h>
#include <stdint.h>

/** An open file. */
struct kws_file {
	/** Of the implementation. */
	int32_t handle;
	void *stream;
};

/** @brief Open for reading. Returns false where it cannot be opened. */
bool kws_file_open(struct kws_file *file, const char *path);

/** @brief Read up to @p size bytes; a kws_byte_source whose context is a struct kws_file. */
uint32_t kws_file_read(void *file, void *data, uint32_t size);

/** @brief Close. */
void kws_file_close(struct kws_file *file);

#endif /* KWS_FILES_H */
