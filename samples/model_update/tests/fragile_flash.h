/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A port of flash.h, in memory, whose power can be made to fail.
 *
 * It ends the program where it is used as no flash may be: outside of the partition, not in whole
 * units, or where a unit is written twice.
 */
#ifndef FRAGILE_FLASH_H
#define FRAGILE_FLASH_H

#include <stdint.h>

#define FRAGILE_SIZE 8192

/** What the step leaves behind in which the power fails. */
enum fragile_tear { TEAR_NOTHING, TEAR_HALF, TEAR_RANDOM, TEAR_KINDS };

/** The partition. */
extern uint8_t fragile_bytes[FRAGILE_SIZE];

/** Erase all, and let there be power; sizes are those of flash.h. */
void fragile_reset(uint32_t erase_size, uint32_t write_size);

/** Let the power fail in step @p step of those that follow (0 is the next); -1 for never. */
void fragile_fail_at(int32_t step, enum fragile_tear tear);

/** From now on a byte stays 0, whatever is written; -1 for none. */
void fragile_stick(int32_t offset);

/** Whether it has failed. Then nothing changes any more, and every call fails. */
int fragile_has_failed(void);

#endif /* FRAGILE_FLASH_H */
