/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <platform/cortex_m/semihosting.h>

bool kws_file_open(struct kws_file *file, const char *path)
{
	file->handle = petite_semihosting_open(path, PETITE_SEMIHOSTING_READ);
	return file->handle >= 0;
}

uint32_t kws_file_read(void *context, void *data, uint32_t size)
{
	struct kws_file *file = context;

	return petite_semihosting_read(file->handle, data, size);
}

void kws_file_close(struct kws_file *file)
{
	petite_semihosting_close(file->handle);
}
