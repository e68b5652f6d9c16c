/* SPDX-License-Identifier: Apache-2.0 */

#include <zephyr/arch/cpu.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/pinctrl.h>

#define PADS_BASE DT_REG_ADDR(DT_NODELABEL(pinctrl))

int pinctrl_configure_pins(const pinctrl_soc_pin_t *pins, uint8_t pin_cnt, uintptr_t reg)
{
	ARG_UNUSED(reg);

	for (uint8_t i = 0; i < pin_cnt; i++) {
		sys_write32(pins[i].value, PADS_BASE + pins[i].offset);
	}

	return 0;
}
