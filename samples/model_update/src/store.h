/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Two slots for programs in a flash partition, and which of them counts.
 *
 * A slot is a header and a program:
 *
 *     0     header, 64 bytes (struct update_header), little-endian
 *     64    room for a signature
 *     256   the program, used in place
 *
 * A new program goes to the slot that is not in use, and its header is written last, in one write:
 * until then the slot does not count, whenever the power fails or the sender goes away. The valid
 * slot with the larger sequence number is the newer one.
 */
#ifndef UPDATE_STORE_H
#define UPDATE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "flash.h"

#define UPDATE_SLOTS 2
#define UPDATE_NO_SLOT UINT32_MAX

/** Bytes from a slot's start to the program, in slots that this firmware writes. */
#define UPDATE_HEADER_BYTES 256
/** Bytes that are appended at once; flash that writes more at once cannot be used. */
#define UPDATE_BLOCK 512

#define UPDATE_MAGIC 0x444d5450u /* "PTMD" */
#define UPDATE_VERSION 1

/** What kind of program a slot holds. Later kinds get further numbers. */
#define UPDATE_KIND_PTE 1
/** Signature kinds likewise; this firmware knows none, and takes no program that has one. */
#define UPDATE_SIGNATURE_NONE 0

/** The start of a slot. */
struct update_header {
	uint32_t magic;
	uint16_t version;
	/** From the slot's start to the program; a multiple of 16. */
	uint16_t header_bytes;
	uint32_t program_bytes;
	/** CRC-32 of the program. */
	uint32_t program_crc;
	/** Larger in the newer slot, modulo 2^32. */
	uint32_t sequence;
	uint16_t program_kind;
	uint16_t signature_kind;
	/** Bytes of the signature, which follows this structure. */
	uint32_t signature_bytes;
	uint8_t reserved[32];
	/** CRC-32 of all before. */
	uint32_t header_crc;
};

/** What is in a slot. */
enum update_slot_state {
	/** No header. */
	UPDATE_SLOT_EMPTY,
	/** A header, and it or the program is not what was written. */
	UPDATE_SLOT_DAMAGED,
	/** A sound header of another version, or a kind that this firmware does not know. */
	UPDATE_SLOT_UNKNOWN,
	UPDATE_SLOT_VALID,
};

struct update_slot {
	enum update_slot_state state;
	/** If it is valid: the program, and what its header says. */
	const uint8_t *program;
	uint32_t size;
	uint32_t crc;
	uint32_t sequence;
};

enum update_status {
	UPDATE_OK,
	/** There is no partition, or it is of no use: update_store_open() failed. */
	UPDATE_ERR_PARTITION,
	/** The program is empty, or larger than a slot. */
	UPDATE_ERR_SIZE,
	/** Flash was not erased, or does not hold what was written. */
	UPDATE_ERR_FLASH,
	/** The program's CRC is another one than that which was said. */
	UPDATE_ERR_CRC,
};

/** The partition, and the program that is being written. */
struct update_store {
	struct update_flash flash;
	uint32_t slot_size;
	/** Being written: the slot, the program's size, and how much of it is there. */
	uint32_t slot, size, written;
};

/** Find the partition and divide it. */
enum update_status update_store_open(struct update_store *store);

/** Bytes of the largest program. */
uint32_t update_store_capacity(const struct update_store *store);

/** Look into a slot; the CRC of the program is computed each time. */
struct update_slot update_store_look(const struct update_store *store, uint32_t slot);

/** The newest valid slot other than @p not_this; UPDATE_NO_SLOT where there is none. */
uint32_t update_store_newest(const struct update_store *store, uint32_t not_this);

/**
 * @brief Begin to write a program of @p size bytes, into a slot other than @p in_use.
 *
 * That slot is erased. UPDATE_NO_SLOT says that no slot is in use; then the older one goes.
 */
enum update_status update_store_begin(struct update_store *store, uint32_t in_use, uint32_t size);

/** Write the next UPDATE_BLOCK bytes, or the last ones. */
enum update_status update_store_append(struct update_store *store, const uint8_t *data,
				       uint32_t size);

/** The program that was written; it does not count yet. All of it must have been appended. */
const uint8_t *update_store_written(const struct update_store *store);

/** Whether the CRC of what was written is @p crc. */
enum update_status update_store_check(const struct update_store *store, uint32_t crc);

/** Let the program that was written count, as the newest. */
enum update_status update_store_commit(struct update_store *store);

/** Erase all slots. */
enum update_status update_store_erase(struct update_store *store);

#endif /* UPDATE_STORE_H */
