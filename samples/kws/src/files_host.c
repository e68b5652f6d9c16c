/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <stdio.h>

bool kws_file_open(struct kws_file *file, const char *path)
{
	file->stream = fopen(path, "rb");
	return file->stream != NULL;
}

uint32_t kws_file_read(void *context, void *data, uint32_t size)
{
	struct kws_file *file = context;

	return (uint32_t)fread(data, 1, size, file->stream);
}

void kws_file_close(struct kws_file *file)
{
	fclose(file->stream);
}
