/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The console's UART: console_zephyr.c, console_cmsdk.c, console_host.c.
 *
 * No buffer is needed. Whoever sends more than a typed line waits until the device asks for it
 * (transfer.h), and the device does nothing else while it waits.
 */
#ifndef UPDATE_CONSOLE_H
#define UPDATE_CONSOLE_H

#include <stdint.h>

/** Make the UART ready. */
void update_console_open(void);

/** Send a byte. */
void update_console_put(uint8_t byte);

/** Receive a byte; -1 where none comes within @p timeout_ms. */
int update_console_get(uint32_t timeout_ms);

#endif /* UPDATE_CONSOLE_H */
