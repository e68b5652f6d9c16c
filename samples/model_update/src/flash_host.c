/* SPDX-License-Identifier: Apache-2.0 */
/* A file, models.bin in the current directory, that behaves as flash. */
#include "flash.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTITION_SIZE (256u * 1024u)
#define ERASE_SIZE 4096u
#define WRITE_SIZE 16u
#define ERASED 0xff

static uint8_t *partition;

/** Make the file as large as the partition; what is new of it is erased. */
static bool fill(int file)
{
	const off_t size = lseek(file, 0, SEEK_END);
	static uint8_t erased[ERASE_SIZE];

	memset(erased, ERASED, sizeof(erased));
	for (off_t at = size; at >= 0 && at < (off_t)PARTITION_SIZE; at += (off_t)sizeof(erased)) {
		if (write(file, erased, sizeof(erased)) != (ssize_t)sizeof(erased)) {
			return false;
		}
	}
	return size >= 0;
}

bool update_flash_open(struct update_flash *flash)
{
	const int file = open("models.bin", O_RDWR | O_CREAT, 0644);
	void *bytes = MAP_FAILED;

	if (file >= 0 && fill(file)) {
		bytes = mmap(NULL, PARTITION_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	}
	if (file >= 0) {
		close(file);
	}
	partition = bytes == MAP_FAILED ? NULL : bytes;
	*flash = (struct update_flash){partition, PARTITION_SIZE, ERASE_SIZE, WRITE_SIZE};
	return partition != NULL;
}

bool update_flash_erase(uint32_t offset, uint32_t size)
{
	memset(partition + offset, ERASED, size);
	return true;
}

bool update_flash_write(uint32_t offset, const void *data, uint32_t size)
{
	const uint8_t *from = data;

	for (uint32_t i = 0; i < size; i++) {
		partition[offset + i] &= from[i];
	}
	return true;
}
