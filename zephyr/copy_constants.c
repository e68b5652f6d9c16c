/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies constants to the memory regions that they were placed in (linker/regions.ld). This is not
 * left to CONFIG_CODE_DATA_RELOCATION, which copies before any driver runs: a region may be
 * external memory, which its controller has to be set up for first.
 */
#include <string.h>

#include <zephyr/devicetree.h>
#include <zephyr/init.h>
#include <zephyr/linker/devicetree_regions.h>
#include <zephyr/sys/util.h>

#define START(node) UTIL_CAT(__petite_constants_start_, LINKER_DT_NODE_REGION_NAME_TOKEN(node))
#define END(node) UTIL_CAT(__petite_constants_end_, LINKER_DT_NODE_REGION_NAME_TOKEN(node))
#define LOAD(node) UTIL_CAT(__petite_constants_load_, LINKER_DT_NODE_REGION_NAME_TOKEN(node))

#define DECLARE(node) extern char START(node)[], END(node)[], LOAD(node)[];

DT_FOREACH_STATUS_OKAY(zephyr_memory_region, DECLARE)

static inline void copy(char *start, const char *end, const char *load)
{
	/* Constants of a flash region, and of an image that was loaded to RAM, are in place. */
	if (start != load) {
		memcpy(start, load, (size_t)(end - start));
	}
}

#define COPY(node) copy(START(node), END(node), LOAD(node));

static int copy_constants(void)
{
	DT_FOREACH_STATUS_OKAY(zephyr_memory_region, COPY)
	return 0;
}

SYS_INIT(copy_constants, POST_KERNEL, CONFIG_PETITE_INIT_PRIORITY);
