/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The partition that the devicetree labels `model_partition`, through Zephyr's flash drivers. Not
 * through its flash map, which wants a driver for every partition of the board.
 */
#include "flash.h"

#include <zephyr/cache.h>
#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/drivers/flash/flash_simulator.h>

#define PARTITION DT_NODELABEL(model_partition)

#if !DT_NODE_EXISTS(PARTITION)
#error "this board's devicetree has no partition model_partition: add one, as boards/*.overlay do"
#endif

#define OFFSET DT_REG_ADDR(PARTITION)
#define SIZE DT_REG_SIZE(PARTITION)

static const struct device *const device = DEVICE_DT_GET(DT_MTD_FROM_FIXED_PARTITION(PARTITION));
static const uint8_t *mapped;

/** Where the partition's first byte is in the memory map. */
static const uint8_t *find_bytes(void)
{
#if DT_NODE_HAS_COMPAT(DT_MTD_FROM_FIXED_PARTITION(PARTITION), zephyr_sim_flash)
	size_t size;

	return (const uint8_t *)flash_simulator_get_memory(device, &size) + OFFSET;
#else
	return (const uint8_t *)DT_FIXED_PARTITION_ADDR(PARTITION);
#endif
}

/** Bytes that are erased at once at an offset into the partition; 0 where that is not known. */
static uint32_t erase_size_at(uint32_t offset)
{
	struct flash_pages_info page;

	if (flash_get_page_info_by_offs(device, (off_t)(OFFSET + offset), &page) != 0) {
		return 0;
	}
	return (uint32_t)page.size;
}

bool update_flash_open(struct update_flash *flash)
{
	if (!device_is_ready(device)) {
		return false;
	}
	mapped = find_bytes();
	*flash = (struct update_flash){
		.bytes = mapped,
		.size = SIZE,
		.erase_size = erase_size_at(0),
		.write_size = (uint32_t)flash_get_write_block_size(device),
	};
	/* The store wants the same all over. */
	return flash->erase_size == erase_size_at(SIZE - 1);
}

/** Flash changed behind the data cache. */
static void forget_cached(uint32_t offset, uint32_t size)
{
	(void)sys_cache_data_flush_and_invd_range((void *)(uintptr_t)(mapped + offset), size);
}

bool update_flash_erase(uint32_t offset, uint32_t size)
{
	/* On memory that need not be erased, such as MRAM, this writes what erased bytes are. */
	const int result = flash_flatten(device, (off_t)(OFFSET + offset), size);

	forget_cached(offset, size);
	return result == 0;
}

bool update_flash_write(uint32_t offset, const void *data, uint32_t size)
{
	const int result = flash_write(device, (off_t)(OFFSET + offset), data, size);

	forget_cached(offset, size);
	return result == 0;
}
