/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memory that behaves as flash: erased to ones, a block at a time, and writing only clears bits.
 * The linker script names it (link/). On a real part this file is the place for its flash driver.
 */
#include "flash.h"

#include <stddef.h>
#include <string.h>

#define ERASE_SIZE 4096
#define WRITE_SIZE 16
#define ERASED 0xff

/* Defined by the linker script. No section lies there: an emulator loads nothing, and clears
 * nothing when it is reset.
 */
extern uint8_t model_partition_start[];
extern uint8_t model_partition_end[];

bool update_flash_open(struct update_flash *flash)
{
	*flash = (struct update_flash){
		.bytes = model_partition_start,
		.size = (uint32_t)(model_partition_end - model_partition_start),
		.erase_size = ERASE_SIZE,
		.write_size = WRITE_SIZE,
	};
	return true;
}

/** Whether a driver would take it. */
static bool is_allowed(uint32_t offset, uint32_t size, uint32_t unit)
{
	const uint32_t total = (uint32_t)(model_partition_end - model_partition_start);

	return offset % unit == 0 && size % unit == 0 && offset <= total && size <= total - offset;
}

bool update_flash_erase(uint32_t offset, uint32_t size)
{
	if (!is_allowed(offset, size, ERASE_SIZE)) {
		return false;
	}
	memset(model_partition_start + offset, ERASED, size);
	return true;
}

bool update_flash_write(uint32_t offset, const void *data, uint32_t size)
{
	const uint8_t *from = data;

	if (!is_allowed(offset, size, WRITE_SIZE)) {
		return false;
	}
	for (uint32_t i = 0; i < size; i++) {
		model_partition_start[offset + i] &= from[i];
	}
	return true;
}
