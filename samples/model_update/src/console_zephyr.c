/* SPDX-License-Identifier: Apache-2.0 */
/* The UART of Zephyr's console. An interrupt takes what comes; the thread sleeps while it waits. */
#include "console.h"

#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>

#include "store.h"

#ifndef CONFIG_UART_INTERRUPT_DRIVEN
#error "the sample takes its commands by interrupt: set CONFIG_UART_INTERRUPT_DRIVEN=y"
#endif

static const struct device *const uart = DEVICE_DT_GET(DT_CHOSEN(zephyr_console));

/* Longer than the longest that is ever on its way, which is a block with what frames it. */
K_MSGQ_DEFINE(received, 1, UPDATE_BLOCK + 16, 1);

static void take(const struct device *device, void *context)
{
	uint8_t byte;

	ARG_UNUSED(context);
	while (uart_irq_update(device) > 0 && uart_irq_rx_ready(device) > 0) {
		if (uart_fifo_read(device, &byte, 1) == 1) {
			/* A sender that sends what was not asked for loses it. */
			(void)k_msgq_put(&received, &byte, K_NO_WAIT);
		}
	}
}

void update_console_open(void)
{
	uart_irq_callback_user_data_set(uart, take, NULL);
	uart_irq_rx_enable(uart);
}

void update_console_put(uint8_t byte)
{
	uart_poll_out(uart, byte);
}

int update_console_get(uint32_t timeout_ms)
{
	uint8_t byte;

	return k_msgq_get(&received, &byte, K_MSEC(timeout_ms)) == 0 ? byte : -1;
}
