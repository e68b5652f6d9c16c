/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fixed MPU regions. The ITCM needs none: the default memory map lets it be executed, and TCMs are
 * never cached. SRAM0 and SRAM1 come from devicetree (zephyr,memory-attr).
 */

#include <zephyr/arch/arm/mpu/arm_mpu_mem_cfg.h>
#include <zephyr/sys/util.h>

/*
 * Pads and clock control of the always-on and shared domains. They lie in the architecture's Code
 * region, where registers would be cached.
 */
#define DEVICES_IN_CODE_BASE 0x1a000000
#define DEVICES_IN_CODE_SIZE MB(16)

static const struct arm_mpu_region mpu_regions[] = {
	MPU_REGION_ENTRY("FLASH", CONFIG_FLASH_BASE_ADDRESS,
			 REGION_FLASH_ATTR(CONFIG_FLASH_BASE_ADDRESS, KB(CONFIG_FLASH_SIZE))),
	MPU_REGION_ENTRY("SRAM", CONFIG_SRAM_BASE_ADDRESS,
			 REGION_RAM_ATTR(CONFIG_SRAM_BASE_ADDRESS, KB(CONFIG_SRAM_SIZE))),
	MPU_REGION_ENTRY("DEVICES", DEVICES_IN_CODE_BASE,
			 REGION_DEVICE_ATTR(DEVICES_IN_CODE_BASE, DEVICES_IN_CODE_SIZE)),
};

const struct arm_mpu_config mpu_config = {
	.num_regions = ARRAY_SIZE(mpu_regions),
	.mpu_regions = mpu_regions,
};
