/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The flash partition that holds models: all that the store asks of a port.
 *
 * Ports: flash_zephyr.c (the partition `model_partition` of the devicetree), flash_memory.c (a
 * memory that behaves as flash, for emulators), flash_host.c (a file).
 */
#ifndef UPDATE_FLASH_H
#define UPDATE_FLASH_H

#include <stdbool.h>
#include <stdint.h>

/** What is known of the partition. */
struct update_flash {
	/** Its first byte, in the memory map: programs run out of it. Aligned to 16. */
	const uint8_t *bytes;
	/** Its size in bytes. */
	uint32_t size;
	/** Bytes that are erased at once. */
	uint32_t erase_size;
	/** Bytes that are written at once: a power of two. */
	uint32_t write_size;
};

/** Find the partition; false where there is none, or its driver does not start. */
bool update_flash_open(struct update_flash *flash);

/** Erase from @p offset on; both numbers are multiples of erase_size. False where it fails. */
bool update_flash_erase(uint32_t offset, uint32_t size);

/**
 * @brief Write bytes that were erased; both numbers are multiples of write_size.
 *
 * Every byte is written once between two erasures, as flash with error correction wants it. What
 * `bytes` shows is what was written, whatever caches there are. False where it fails.
 */
bool update_flash_write(uint32_t offset, const void *data, uint32_t size);

#endif /* UPDATE_FLASH_H */
