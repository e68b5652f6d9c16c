/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The CRC-32 of zlib, PNG and Ethernet (reversed polynomial 0xEDB88320).
 */
#ifndef UPDATE_CRC32_H
#define UPDATE_CRC32_H

#include <stdint.h>

/** Take @p size bytes into @p crc, which is 0 before the first. */
uint32_t update_crc32(uint32_t crc, const void *data, uint32_t size);

#endif /* UPDATE_CRC32_H */
