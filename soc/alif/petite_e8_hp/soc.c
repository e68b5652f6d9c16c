/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Start of the Alif Ensemble E8's core RTSS-HP. The secure enclave has set clocks and power before
 * it starts this core; what is left is the core's own settings and the console's clock gate.
 */

#include <cmsis_core.h>
#include <zephyr/arch/cpu.h>
#include <zephyr/cache.h>
#include <zephyr/devicetree.h>
#include <zephyr/sys/util.h>

/* Clock control of the UARTs: bit n lets UART n run, bit 8 + n gives it PCLK (100 MHz). */
#define UART_CLOCK_CONTROL 0x4902f008
#define UART_CLOCK_ENABLE(n) BIT(n)
#define UART_CLOCK_PCLK(n) BIT(8 + (n))

void soc_reset_hook(void)
{
	/* Low-overhead loops: without it, every LE of a Helium loop is a branch. */
	SCB->CCR |= SCB_CCR_LOB_Msk;
	__DSB();
	__ISB();

	sys_cache_instr_enable();
	sys_cache_data_enable();
}

void soc_early_init_hook(void)
{
#if DT_NODE_HAS_STATUS_OKAY(DT_NODELABEL(uart4))
	uint32_t control = sys_read32(UART_CLOCK_CONTROL);

	sys_write32(control | UART_CLOCK_ENABLE(4) | UART_CLOCK_PCLK(4), UART_CLOCK_CONTROL);
#endif
}
