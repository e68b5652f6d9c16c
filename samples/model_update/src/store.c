/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <stddef.h>
#include <string.h>

#include "crc32.h"

#define ERASED 0xff
/* Programs are used where they lie: PETITE_LOAD_ALIGNMENT. */
#define ALIGNMENT 16

_Static_assert(sizeof(struct update_header) == 64, "the layout is that of the header's comment");
_Static_assert(UPDATE_BLOCK % UPDATE_HEADER_BYTES == 0, "what divides the one divides the other");

static uint32_t round_up(uint32_t size, uint32_t to)
{
	return (size + to - 1) / to * to;
}

enum update_status update_store_open(struct update_store *store)
{
	struct update_flash *flash = &store->flash;

	memset(store, 0, sizeof(*store));
	if (!update_flash_open(flash) || flash->erase_size == 0 || flash->write_size == 0) {
		return UPDATE_ERR_PARTITION;
	}
	store->slot_size = flash->size / UPDATE_SLOTS / flash->erase_size * flash->erase_size;
	if (store->slot_size <= UPDATE_HEADER_BYTES || (uintptr_t)flash->bytes % ALIGNMENT != 0 ||
	    store->slot_size % ALIGNMENT != 0 || UPDATE_HEADER_BYTES % flash->write_size != 0 ||
	    flash->erase_size % flash->write_size != 0) {
		store->slot_size = 0;
		return UPDATE_ERR_PARTITION;
	}
	return UPDATE_OK;
}

uint32_t update_store_capacity(const struct update_store *store)
{
	return store->slot_size - UPDATE_HEADER_BYTES;
}

static const uint8_t *slot_bytes(const struct update_store *store, uint32_t slot)
{
	return store->flash.bytes + slot * store->slot_size;
}

static uint32_t crc_of_header(const struct update_header *header)
{
	return update_crc32(0, header, offsetof(struct update_header, header_crc));
}

/** What a header says by itself, without the program. */
static enum update_slot_state judge_header(const struct update_store *store,
					   const struct update_header *header)
{
	if (header->magic != UPDATE_MAGIC) {
		return UPDATE_SLOT_EMPTY;
	}
	if (crc_of_header(header) != header->header_crc) {
		return UPDATE_SLOT_DAMAGED;
	}
	if (header->version != UPDATE_VERSION || header->program_kind != UPDATE_KIND_PTE ||
	    header->signature_kind != UPDATE_SIGNATURE_NONE) {
		return UPDATE_SLOT_UNKNOWN;
	}
	if (header->header_bytes < sizeof(*header) || header->header_bytes % ALIGNMENT != 0 ||
	    header->header_bytes >= store->slot_size ||
	    header->program_bytes > store->slot_size - header->header_bytes) {
		return UPDATE_SLOT_DAMAGED;
	}
	return UPDATE_SLOT_VALID;
}

struct update_slot update_store_look(const struct update_store *store, uint32_t slot)
{
	const uint8_t *bytes = slot_bytes(store, slot);
	struct update_slot found = {.state = UPDATE_SLOT_EMPTY};
	struct update_header header;

	memcpy(&header, bytes, sizeof(header));
	found.state = judge_header(store, &header);
	if (found.state != UPDATE_SLOT_VALID) {
		return found;
	}
	found.program = bytes + header.header_bytes;
	found.size = header.program_bytes;
	found.crc = header.program_crc;
	found.sequence = header.sequence;
	if (update_crc32(0, found.program, found.size) != found.crc) {
		found.state = UPDATE_SLOT_DAMAGED;
	}
	return found;
}

/** Whether a sequence number is newer than another; right also where they have wrapped. */
static bool is_newer(uint32_t sequence, uint32_t than)
{
	return sequence != than && sequence - than < UINT32_C(0x80000000);
}

uint32_t update_store_newest(const struct update_store *store, uint32_t not_this)
{
	uint32_t newest = UPDATE_NO_SLOT;
	uint32_t sequence = 0;

	for (uint32_t slot = 0; slot < UPDATE_SLOTS; slot++) {
		const struct update_slot found = update_store_look(store, slot);

		if (slot == not_this || found.state != UPDATE_SLOT_VALID) {
			continue;
		}
		if (newest == UPDATE_NO_SLOT || is_newer(found.sequence, sequence)) {
			newest = slot;
			sequence = found.sequence;
		}
	}
	return newest;
}

enum update_status update_store_begin(struct update_store *store, uint32_t in_use, uint32_t size)
{
	const uint32_t keep =
		in_use == UPDATE_NO_SLOT ? update_store_newest(store, UPDATE_NO_SLOT) : in_use;
	const uint32_t bytes = round_up(UPDATE_HEADER_BYTES + size, store->flash.erase_size);

	if (size == 0 || size > update_store_capacity(store)) {
		return UPDATE_ERR_SIZE;
	}
	store->slot = keep == 0 ? 1 : 0;
	store->size = size;
	store->written = 0;
	return update_flash_erase(store->slot * store->slot_size, bytes) ? UPDATE_OK
									 : UPDATE_ERR_FLASH;
}

const uint8_t *update_store_written(const struct update_store *store)
{
	return slot_bytes(store, store->slot) + UPDATE_HEADER_BYTES;
}

/** Write a slot's bytes from @p at on, a block at most; what is missing to a whole unit is added.
 */
static enum update_status write(const struct update_store *store, uint32_t at, const void *data,
				uint32_t size)
{
	uint8_t block[UPDATE_BLOCK];

	memset(block, ERASED, sizeof(block));
	memcpy(block, data, size);
	if (!update_flash_write(store->slot * store->slot_size + at, block,
				round_up(size, store->flash.write_size))) {
		return UPDATE_ERR_FLASH;
	}
	return memcmp(slot_bytes(store, store->slot) + at, data, size) == 0 ? UPDATE_OK
									    : UPDATE_ERR_FLASH;
}

enum update_status update_store_append(struct update_store *store, const uint8_t *data,
				       uint32_t size)
{
	const uint32_t at = store->written;

	if (size > store->size - at || size > UPDATE_BLOCK || at % UPDATE_BLOCK != 0) {
		return UPDATE_ERR_SIZE;
	}
	store->written += size;
	return write(store, UPDATE_HEADER_BYTES + at, data, size);
}

enum update_status update_store_check(const struct update_store *store, uint32_t crc)
{
	const uint32_t actual = update_crc32(0, update_store_written(store), store->size);

	return store->written == store->size && actual == crc ? UPDATE_OK : UPDATE_ERR_CRC;
}

enum update_status update_store_commit(struct update_store *store)
{
	const uint32_t newest = update_store_newest(store, store->slot);
	uint8_t area[UPDATE_HEADER_BYTES];
	struct update_header header = {
		.magic = UPDATE_MAGIC,
		.version = UPDATE_VERSION,
		.header_bytes = UPDATE_HEADER_BYTES,
		.program_bytes = store->size,
		.program_crc = update_crc32(0, update_store_written(store), store->size),
		.sequence = 1,
		.program_kind = UPDATE_KIND_PTE,
		.signature_kind = UPDATE_SIGNATURE_NONE,
	};

	if (newest != UPDATE_NO_SLOT) {
		header.sequence = update_store_look(store, newest).sequence + 1;
	}
	header.header_crc = crc_of_header(&header);
	memset(area, ERASED, sizeof(area));
	memcpy(area, &header, sizeof(header));
	return write(store, 0, area, sizeof(area));
}

static bool erase_slot(const struct update_store *store, uint32_t slot)
{
	return update_flash_erase(slot * store->slot_size, store->slot_size);
}

enum update_status update_store_erase(struct update_store *store)
{
	/* The older one first: where the power fails in between, it must not come back. */
	const uint32_t older = update_store_newest(store, UPDATE_NO_SLOT) == 0 ? 1 : 0;

	return erase_slot(store, older) && erase_slot(store, 1 - older) ? UPDATE_OK
									: UPDATE_ERR_FLASH;
}
