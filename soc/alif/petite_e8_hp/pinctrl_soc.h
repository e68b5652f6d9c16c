/* SPDX-License-Identifier: Apache-2.0 */

/* What Zephyr's pin control API asks of a SoC: see dts/bindings/pinctrl/petite,e8-pinctrl.yaml. */

#ifndef PETITE_SOC_E8_HP_PINCTRL_SOC_H
#define PETITE_SOC_E8_HP_PINCTRL_SOC_H

#include <stdint.h>

#include <zephyr/devicetree.h>

typedef struct pinctrl_soc_pin {
	/* From the pin controller's base: 32 bytes a port, 4 bytes a pin. */
	uint32_t offset;
	/* Bits 0 to 2: function. Bit 16: receiver on. Bits 21, 22: driver of 2, 4, 8 or 12 mA. */
	uint32_t value;
} pinctrl_soc_pin_t;

#define Z_PETITE_E8_PAD(node)                                                                      \
	{                                                                                          \
		.offset = 32 * DT_PROP_BY_IDX(node, pad, 0) + 4 * DT_PROP_BY_IDX(node, pad, 1),    \
		.value = DT_PROP(node, function) | DT_PROP(node, input_enable) << 16 |             \
			 DT_ENUM_IDX(node, drive_strength) << 21,                                  \
	},

#define Z_PINCTRL_STATE_PINS_INIT(node, prop)                                                      \
	{DT_FOREACH_CHILD(DT_PHANDLE(node, prop), Z_PETITE_E8_PAD)}

#endif /* PETITE_SOC_E8_HP_PINCTRL_SOC_H */
