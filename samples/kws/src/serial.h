/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The serial line that is also the console: serial_zephyr.c, serial_host.c.
 */
#ifndef KWS_SERIAL_H
#define KWS_SERIAL_H

#include <stdint.h>

/** How long to wait for a byte. */
#define KWS_SERIAL_TIMEOUT_MS 1000

/** @brief Send a byte, after what has been printed so far. */
void kws_serial_put(uint8_t byte);

/** @brief Receive a byte; -1 where none comes within KWS_SERIAL_TIMEOUT_MS. */
int kws_serial_get(void);

#endif /* KWS_SERIAL_H */
