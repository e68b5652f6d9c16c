/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store on flash that fails. Prints what it did; exits with status 1, and says what was wrong,
 * at the first thing that is.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32.h"
#include "fragile_flash.h"
#include "store.h"

#define MOST 2000

/** A program; nobody loads these, so any bytes do. */
struct program {
	uint32_t size;
	uint8_t bytes[MOST];
};

static struct program programs[3];

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void make_programs(void)
{
	static const uint32_t sizes[] = {1, 300, 700};
	uint32_t value = 7;

	for (uint32_t i = 0; i < 3; i++) {
		programs[i].size = sizes[i];
		for (uint32_t at = 0; at < sizes[i]; at++) {
			value = value * 1103515245u + 12345u;
			programs[i].bytes[at] = (uint8_t)(value >> 16);
		}
	}
}

static struct update_store reboot(void)
{
	struct update_store store;

	EXPECT(update_store_open(&store) == UPDATE_OK);
	return store;
}

/** What a device does: into the slot that is not in use, checked, and only then it counts. */
static enum update_status put(const struct program *program)
{
	struct update_store store = reboot();
	const uint32_t in_use = update_store_newest(&store, UPDATE_NO_SLOT);
	enum update_status status = update_store_begin(&store, in_use, program->size);

	for (uint32_t at = 0; at < program->size && status == UPDATE_OK; at += UPDATE_BLOCK) {
		const uint32_t left = program->size - at;

		status = update_store_append(&store, program->bytes + at,
					     left < UPDATE_BLOCK ? left : UPDATE_BLOCK);
	}
	if (status == UPDATE_OK) {
		status = update_store_check(&store, update_crc32(0, program->bytes, program->size));
	}
	return status == UPDATE_OK ? update_store_commit(&store) : status;
}

/** Which program counts: its number, or -1 where none does. */
static int32_t current(void)
{
	const struct update_store store = reboot();
	const uint32_t slot = update_store_newest(&store, UPDATE_NO_SLOT);
	struct update_slot found;

	if (slot == UPDATE_NO_SLOT) {
		return -1;
	}
	found = update_store_look(&store, slot);
	EXPECT(((uintptr_t)found.program & 15) == 0);
	for (int32_t i = 0; i < 3; i++) {
		if (found.size == programs[i].size &&
		    memcmp(found.program, programs[i].bytes, found.size) == 0) {
			return i;
		}
	}
	EXPECT(!"what counts is no program that was ever sent");
	return -2;
}

/* --- power that fails -------------------------------------------------------------------------
 */

/** The partition after programs 0 to @p count - 1 were put, one after the other. */
static void put_first(uint32_t count, uint32_t erase_size, uint32_t write_size)
{
	fragile_reset(erase_size, write_size);
	for (uint32_t i = 0; i < count; i++) {
		EXPECT(put(&programs[i]) == UPDATE_OK && current() == (int32_t)i);
	}
}

/** Put the next program; the power fails in each step in turn. Gives how many there were. */
static uint32_t fail_everywhere(uint32_t before, uint32_t erase_size, uint32_t write_size,
				enum fragile_tear tear)
{
	for (int32_t at = 0;; at++) {
		enum update_status status;
		int32_t found;

		put_first(before, erase_size, write_size);
		fragile_fail_at(at, tear);
		status = put(&programs[before]);
		if (!fragile_has_failed()) {
			EXPECT(status == UPDATE_OK && current() == (int32_t)before);
			return (uint32_t)at;
		}
		fragile_fail_at(-1, TEAR_NOTHING);
		found = current();
		EXPECT(found == (int32_t)before || found == (int32_t)before - 1);
		EXPECT(status != UPDATE_OK || found == (int32_t)before);
		/* And it can be sent again. */
		EXPECT(put(&programs[before]) == UPDATE_OK && current() == (int32_t)before);
	}
}

/** Forget everything; the power fails in each step. No older program comes back. */
static uint32_t fail_while_erasing(uint32_t count, uint32_t erase_size, enum fragile_tear tear)
{
	for (int32_t at = 0;; at++) {
		struct update_store store;
		enum update_status status;
		int32_t found;

		put_first(count, erase_size, 16);
		store = reboot();
		fragile_fail_at(at, tear);
		status = update_store_erase(&store);
		if (!fragile_has_failed()) {
			EXPECT(status == UPDATE_OK && current() == -1);
			return (uint32_t)at;
		}
		EXPECT(status == UPDATE_ERR_FLASH);
		found = current();
		EXPECT(found == -1 || found == (int32_t)count - 1);
	}
}

static void try_power(void)
{
	static const uint32_t units[][2] = {
		{512, 8}, {1024, 16}, {512, 128}, {4096, 256}, {256, 4}};
	uint32_t failures = 0;

	for (uint32_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		for (int tear = 0; tear < TEAR_KINDS; tear++) {
			for (uint32_t before = 0; before < 3; before++) {
				failures += fail_everywhere(before, units[i][0], units[i][1],
							    (enum fragile_tear)tear);
				failures += fail_while_erasing(before + 1, units[i][0],
							       (enum fragile_tear)tear);
			}
		}
	}
	printf("the power failed %u times\n", failures);
}

/* --- what headers say -------------------------------------------------------------------------
 */

static struct update_header read_header(void)
{
	struct update_header header;

	memcpy(&header, fragile_bytes, sizeof(header));
	return header;
}

/** Write slot 0's header, with the right CRC. */
static void write_header(struct update_header header)
{
	header.header_crc = update_crc32(0, &header, offsetof(struct update_header, header_crc));
	memcpy(fragile_bytes, &header, sizeof(header));
}

static enum update_slot_state look(void)
{
	const struct update_store store = reboot();

	return update_store_look(&store, 0).state;
}

/** A bit that flips, in the header or the program, is found. */
static void try_flipped_bits(void)
{
	put_first(1, 1024, 16);
	for (uint32_t bit = 0; bit < 8 * sizeof(struct update_header); bit++) {
		fragile_bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		EXPECT(look() == (bit < 32 ? UPDATE_SLOT_EMPTY : UPDATE_SLOT_DAMAGED));
		EXPECT(current() == -1);
		fragile_bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	fragile_bytes[UPDATE_HEADER_BYTES] ^= 1;
	EXPECT(look() == UPDATE_SLOT_DAMAGED && current() == -1);
	fragile_bytes[UPDATE_HEADER_BYTES] ^= 1;
	EXPECT(look() == UPDATE_SLOT_VALID && current() == 0);
}

/** What a slot is whose header is sound, but for one field that was changed. */
#define EXPECT_STATE(field, value, expected)                                                       \
	do {                                                                                       \
		struct update_header changed;                                                      \
                                                                                                   \
		put_first(1, 1024, 16);                                                            \
		changed = read_header();                                                           \
		changed.field = (value);                                                           \
		write_header(changed);                                                             \
		EXPECT(look() == (expected));                                                      \
	} while (0)

static void try_fields(void)
{
	EXPECT_STATE(version, UPDATE_VERSION + 1, UPDATE_SLOT_UNKNOWN);
	EXPECT_STATE(program_kind, UPDATE_KIND_PTE + 1, UPDATE_SLOT_UNKNOWN);
	EXPECT_STATE(signature_kind, 1, UPDATE_SLOT_UNKNOWN);
	EXPECT_STATE(header_bytes, 48, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(header_bytes, UPDATE_HEADER_BYTES + 8, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(header_bytes, FRAGILE_SIZE / 2, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(header_bytes, 0xfff0, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(program_bytes, FRAGILE_SIZE / 2 - UPDATE_HEADER_BYTES + 1,
		     UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(program_bytes, UINT32_MAX, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(program_crc, 0, UPDATE_SLOT_DAMAGED);
	EXPECT_STATE(sequence, 77, UPDATE_SLOT_VALID);
}

/** A program that would end in the other slot, though its CRC is right. */
static void try_too_long(void)
{
	const uint32_t most = FRAGILE_SIZE / 2 - UPDATE_HEADER_BYTES;

	put_first(1, 1024, 16);
	for (uint32_t size = most; size <= most + 1; size++) {
		struct update_header header = read_header();

		header.program_bytes = size;
		header.program_crc = update_crc32(0, fragile_bytes + UPDATE_HEADER_BYTES, size);
		write_header(header);
		EXPECT(look() == (size == most ? UPDATE_SLOT_VALID : UPDATE_SLOT_DAMAGED));
	}
}

/** A longer header, as a signature may need it, moves the program. */
static void try_longer_header(void)
{
	const uint32_t longer = UPDATE_HEADER_BYTES + 1024;
	struct update_header header;

	put_first(1, 1024, 16);
	memcpy(fragile_bytes + longer, programs[0].bytes, programs[0].size);
	header = read_header();
	header.header_bytes = (uint16_t)longer;
	write_header(header);
	EXPECT(look() == UPDATE_SLOT_VALID && current() == 0);
}

/** After the largest number comes 0, and it is the newer one. */
static void try_wrapped_sequence(void)
{
	struct update_header header;

	put_first(1, 1024, 16);
	header = read_header();
	header.sequence = UINT32_MAX;
	write_header(header);
	EXPECT(put(&programs[1]) == UPDATE_OK && current() == 1);
	EXPECT(put(&programs[2]) == UPDATE_OK && current() == 2);
}

/* --- refusals ---------------------------------------------------------------------------------
 */

static enum update_status open_with(uint32_t erase_size, uint32_t write_size)
{
	struct update_store store;

	fragile_reset(erase_size, write_size);
	return update_store_open(&store);
}

static void try_partitions(void)
{
	EXPECT(open_with(1024, 16) == UPDATE_OK);
	EXPECT(open_with(4096, 256) == UPDATE_OK);
	/* No room for two slots; units that do not divide; units larger than the header. */
	EXPECT(open_with(8192, 16) == UPDATE_ERR_PARTITION);
	EXPECT(open_with(1024, 0) == UPDATE_ERR_PARTITION);
	EXPECT(open_with(0, 16) == UPDATE_ERR_PARTITION);
	EXPECT(open_with(1000, 8) == UPDATE_OK);
	EXPECT(open_with(1000, 16) == UPDATE_ERR_PARTITION);
	EXPECT(open_with(1024, 512) == UPDATE_ERR_PARTITION);
	EXPECT(open_with(256, 16) == UPDATE_OK);
}

static void try_sizes(void)
{
	static uint8_t block[UPDATE_BLOCK + 1];
	struct update_store store;
	uint32_t most;

	put_first(1, 1024, 16);
	store = reboot();
	most = update_store_capacity(&store);
	EXPECT(most == FRAGILE_SIZE / 2 - UPDATE_HEADER_BYTES);
	EXPECT(update_store_begin(&store, 0, 0) == UPDATE_ERR_SIZE);
	EXPECT(update_store_begin(&store, 0, most + 1) == UPDATE_ERR_SIZE);
	EXPECT(update_store_begin(&store, 0, UINT32_MAX) == UPDATE_ERR_SIZE);
	EXPECT(update_store_begin(&store, 0, most) == UPDATE_OK);
	EXPECT(update_store_append(&store, block, UPDATE_BLOCK + 1) == UPDATE_ERR_SIZE);
	EXPECT(update_store_begin(&store, 0, 3) == UPDATE_OK);
	EXPECT(update_store_append(&store, block, 4) == UPDATE_ERR_SIZE);
	EXPECT(update_store_append(&store, block, 2) == UPDATE_OK);
	/* What is missing is erased; but it is missing. */
	EXPECT(update_store_check(&store, update_crc32(0, "\0\0\xff", 3)) == UPDATE_ERR_CRC);
	EXPECT(update_store_append(&store, block, 1) == UPDATE_ERR_SIZE);
	EXPECT(current() == 0);
}

/** A program whose bytes are not those that were announced never counts. */
static void try_wrong_crc(void)
{
	struct update_store store;

	put_first(1, 1024, 16);
	store = reboot();
	EXPECT(update_store_begin(&store, 0, 5) == UPDATE_OK);
	EXPECT(update_store_append(&store, programs[1].bytes, 5) == UPDATE_OK);
	EXPECT(update_store_check(&store, 1) == UPDATE_ERR_CRC);
	EXPECT(current() == 0);
	EXPECT(update_store_check(&store, update_crc32(0, programs[1].bytes, 5)) == UPDATE_OK);
}

/** Flash that is worn out, and says that it was written. */
static void try_stuck_bits(void)
{
	struct update_store store;

	put_first(1, 1024, 16);
	store = reboot();
	fragile_stick(FRAGILE_SIZE / 2 + UPDATE_HEADER_BYTES + 3);
	EXPECT(update_store_begin(&store, 0, 5) == UPDATE_OK);
	EXPECT(update_store_append(&store, (const uint8_t *)"hello", 5) == UPDATE_ERR_FLASH);
	fragile_stick(FRAGILE_SIZE / 2 + 3);
	EXPECT(update_store_begin(&store, 0, 5) == UPDATE_OK);
	EXPECT(update_store_append(&store, (const uint8_t *)"hello", 5) == UPDATE_OK);
	EXPECT(update_store_check(&store, update_crc32(0, "hello", 5)) == UPDATE_OK);
	EXPECT(update_store_commit(&store) == UPDATE_ERR_FLASH);
	EXPECT(current() == 0);
}

/** Without a slot in use (the loader refused both, say), the older one goes. */
static void try_no_slot_in_use(void)
{
	struct update_store store;

	put_first(2, 1024, 16);
	store = reboot();
	EXPECT(update_store_begin(&store, UPDATE_NO_SLOT, 5) == UPDATE_OK);
	EXPECT(store.slot == 0 && current() == 1);
}

int main(void)
{
	make_programs();
	EXPECT(update_crc32(0, "123456789", 9) == 0xcbf43926);
	EXPECT(update_crc32(update_crc32(0, "1234", 4), "56789", 5) == 0xcbf43926);
	try_power();
	try_flipped_bits();
	try_fields();
	try_too_long();
	try_longer_header();
	try_wrapped_sequence();
	try_partitions();
	try_sizes();
	try_wrong_crc();
	try_stuck_bits();
	try_no_slot_in_use();
	printf("done\n");
	return 0;
}
