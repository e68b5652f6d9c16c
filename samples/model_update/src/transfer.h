/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Bytes that the other end of the console sends, block by block, as the device asks for
 * them.
 *
 *     device: send OFFSET BYTES            (a line)
 *     host:   STX offset[4] bytes[BYTES] crc[4]
 *
 * STX is 0x02. Numbers of the answer are little-endian; the CRC-32 is that of the offset and the
 * bytes. The host sends nothing that it was not asked for, so a device that polls its UART, or that
 * erases flash meanwhile, loses nothing. What comes damaged or not at all is asked for again.
 * Ctrl-C (0x03) instead of STX ends the transfer.
 */
#ifndef UPDATE_TRANSFER_H
#define UPDATE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "store.h"

#define UPDATE_STX 0x02
#define UPDATE_CANCEL 0x03

/** How long to wait for a byte. */
#ifndef UPDATE_TIMEOUT_MS
#define UPDATE_TIMEOUT_MS 2000
#endif
/** How often a block is asked for. */
#define UPDATE_TRIES 5

/**
 * @brief Receive @p size bytes, at most UPDATE_BLOCK, of which the first is byte @p offset of all.
 *
 * @return False where the other end gave up, or sent none that were good.
 */
bool update_receive(uint32_t offset, uint8_t *block, uint32_t size);

#endif /* UPDATE_TRANSFER_H */
