/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The console's UART, polled. Nothing comes that was not asked for (stream.h), so that it is
 * enough to look while waiting.
 */
#include "serial.h"

#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>

static const struct device *const uart = DEVICE_DT_GET(DT_CHOSEN(zephyr_console));

void kws_serial_put(uint8_t byte)
{
	uart_poll_out(uart, byte);
}

int kws_serial_get(void)
{
	int64_t end = k_uptime_get() + KWS_SERIAL_TIMEOUT_MS;
	uint8_t byte;

	while (uart_poll_in(uart, &byte) != 0) {
		if (k_uptime_get() >= end) {
			return -1;
		}
	}
	return byte;
}
