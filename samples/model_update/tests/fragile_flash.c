/* SPDX-License-Identifier: Apache-2.0 */
#include "fragile_flash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flash.h"

_Alignas(16) uint8_t fragile_bytes[FRAGILE_SIZE];

/** Whether a byte was written since it was erased. */
static uint8_t is_written[FRAGILE_SIZE];
static uint32_t erase_unit, write_unit;
static int32_t steps_left = -1;
static enum fragile_tear tear_kind;
static int has_failed;
static uint32_t noise = 1;
static int32_t stuck = -1;

static void refuse(const char *what, uint32_t offset, uint32_t size)
{
	fprintf(stderr, "flash: %s, %u bytes at %u\n", what, size, offset);
	exit(1);
}

static void check_range(uint32_t offset, uint32_t size, uint32_t unit)
{
	if (offset % unit != 0 || size % unit != 0 || size == 0) {
		refuse("not in whole units", offset, size);
	}
	if (offset > FRAGILE_SIZE || size > FRAGILE_SIZE - offset) {
		refuse("outside of the partition", offset, size);
	}
}

static uint8_t random_byte(void)
{
	noise = noise * 1664525u + 1013904223u;
	return (uint8_t)(noise >> 24);
}

enum outcome { DONE, TORN, DEAD };

/** Take a step: the erasure of a block, or the writing of a unit. */
static enum outcome step(void)
{
	if (has_failed) {
		return DEAD;
	}
	if (steps_left == 0) {
		has_failed = 1;
		return TORN;
	}
	steps_left -= steps_left > 0;
	return DONE;
}

/** How much of a step of @p size bytes is done properly. */
static uint32_t done_of(enum outcome outcome, uint32_t size)
{
	if (outcome == TORN) {
		return tear_kind == TEAR_HALF ? size / 2 : 0;
	}
	return outcome == DONE ? size : 0;
}

void fragile_reset(uint32_t erase_size, uint32_t write_size)
{
	erase_unit = erase_size;
	write_unit = write_size;
	memset(fragile_bytes, 0xff, sizeof(fragile_bytes));
	memset(is_written, 0, sizeof(is_written));
	fragile_fail_at(-1, TEAR_NOTHING);
	fragile_stick(-1);
}

void fragile_fail_at(int32_t at, enum fragile_tear tear)
{
	steps_left = at;
	tear_kind = tear;
	has_failed = 0;
}

void fragile_stick(int32_t offset)
{
	stuck = offset;
}

int fragile_has_failed(void)
{
	return has_failed;
}

bool update_flash_open(struct update_flash *flash)
{
	*flash = (struct update_flash){fragile_bytes, FRAGILE_SIZE, erase_unit, write_unit};
	return true;
}

static void erase_block(uint32_t offset)
{
	const enum outcome outcome = step();
	const uint32_t done = done_of(outcome, erase_unit);

	memset(fragile_bytes + offset, 0xff, done);
	memset(is_written + offset, 0, done);
	if (outcome == TORN && tear_kind == TEAR_RANDOM) {
		for (uint32_t i = 0; i < erase_unit; i++) {
			fragile_bytes[offset + i] |= random_byte();
		}
	}
}

bool update_flash_erase(uint32_t offset, uint32_t size)
{
	check_range(offset, size, erase_unit);
	for (uint32_t at = 0; at < size; at += erase_unit) {
		erase_block(offset + at);
	}
	return !has_failed;
}

static void write_unit_at(uint32_t offset, const uint8_t *from)
{
	const enum outcome outcome = step();
	const uint32_t done = done_of(outcome, write_unit);

	if (outcome == DEAD) {
		return;
	}
	if (memchr(is_written + offset, 1, write_unit) != NULL) {
		refuse("written twice", offset, write_unit);
	}
	memset(is_written + offset, 1, write_unit);
	for (uint32_t i = 0; i < done; i++) {
		fragile_bytes[offset + i] &= from[i];
	}
	for (uint32_t i = 0; i < write_unit && outcome == TORN && tear_kind == TEAR_RANDOM; i++) {
		fragile_bytes[offset + i] &= from[i] | random_byte();
	}
}

bool update_flash_write(uint32_t offset, const void *data, uint32_t size)
{
	check_range(offset, size, write_unit);
	for (uint32_t at = 0; at < size; at += write_unit) {
		write_unit_at(offset + at, (const uint8_t *)data + at);
	}
	if (stuck >= 0) {
		fragile_bytes[stuck] = 0;
	}
	return !has_failed;
}
