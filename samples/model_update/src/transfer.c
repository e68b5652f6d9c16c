/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer.h"

#include "console.h"
#include "crc32.h"
#include "text.h"

/* The line is quiet when nothing came for so long. */
#define QUIET_MS 100

enum answer { ANSWER_GOOD, ANSWER_BAD, ANSWER_CANCELLED };

static void ask(uint32_t offset, uint32_t size)
{
	update_print("send ");
	update_print_number(offset);
	update_print(" ");
	update_print_number(size);
	update_print("\n");
}

static bool get_bytes(uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) {
		int byte = update_console_get(UPDATE_TIMEOUT_MS);

		if (byte < 0) {
			return false;
		}
		bytes[i] = (uint8_t)byte;
	}
	return true;
}

static bool get_number(uint32_t *number)
{
	uint8_t bytes[4];

	if (!get_bytes(bytes, sizeof(bytes))) {
		return false;
	}
	*number = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		  (uint32_t)bytes[3] << 24;
	return true;
}

static uint32_t crc_of(uint32_t offset, const uint8_t *bytes, uint32_t size)
{
	const uint8_t number[4] = {(uint8_t)offset, (uint8_t)(offset >> 8), (uint8_t)(offset >> 16),
				   (uint8_t)(offset >> 24)};

	return update_crc32(update_crc32(0, number, sizeof(number)), bytes, size);
}

/** What follows an STX. */
static bool get_block(uint32_t offset, uint8_t *block, uint32_t size)
{
	uint32_t number, crc;

	return get_number(&number) && get_bytes(block, size) && get_number(&crc) &&
	       number == offset && crc == crc_of(offset, block, size);
}

static enum answer get_answer(uint32_t offset, uint8_t *block, uint32_t size)
{
	int byte;

	while ((byte = update_console_get(UPDATE_TIMEOUT_MS)) >= 0) {
		if (byte == UPDATE_CANCEL) {
			return ANSWER_CANCELLED;
		}
		if (byte == UPDATE_STX) {
			return get_block(offset, block, size) ? ANSWER_GOOD : ANSWER_BAD;
		}
	}
	return ANSWER_BAD;
}

/** Let pass what is still on its way, so that it is not taken for the answer to the next request.
 */
static void wait_until_quiet(void)
{
	while (update_console_get(QUIET_MS) >= 0) {
	}
}

bool update_receive(uint32_t offset, uint8_t *block, uint32_t size)
{
	for (uint32_t tries = 0; tries < UPDATE_TRIES; tries++) {
		enum answer answer;

		ask(offset, size);
		answer = get_answer(offset, block, size);
		if (answer == ANSWER_GOOD) {
			return true;
		}
		wait_until_quiet();
		if (answer == ANSWER_CANCELLED) {
			return false;
		}
	}
	return false;
}
