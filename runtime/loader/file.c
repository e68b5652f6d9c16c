/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

/** "ET12" and "eh00", as numbers. */
#define IDENTIFIER 0x32315445u
#define EXTENDED 0x30306865u

/** Bytes of the file: what stands before tables where there is no extended header. */
#define SHORT_HEADER 8u
/** The extended header: where it begins, its least size, and the size that has `segments_size`. */
#define HEADER_AT 8u
#define HEADER_LEAST 24u
#define HEADER_WITH_SIZE 32u

uint32_t petite_field(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t vtable = table - petite_u32_at(file, table);
	uint32_t at = 4 + 2 * slot;
	uint32_t offset = at < petite_u16_at(file, vtable) ? petite_u16_at(file, vtable + at) : 0;

	return offset == 0 ? 0 : table + offset;
}

uint32_t petite_child(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t at = petite_field(file, table, slot);

	return at == 0 ? 0 : at + petite_u32_at(file, at);
}

uint8_t petite_u8_field(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t at = petite_field(file, table, slot);

	return at == 0 ? 0 : petite_u8_at(file, at);
}

uint32_t petite_u32_field(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t at = petite_field(file, table, slot);

	return at == 0 ? 0 : petite_u32_at(file, at);
}

uint64_t petite_u64_field(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t at = petite_field(file, table, slot);

	return at == 0 ? 0 : petite_u64_at(file, at);
}

uint32_t petite_size_at(const struct petite_file *file, uint32_t at)
{
	uint32_t low = petite_u32_at(file, at);

	return petite_u32_at(file, at + 4) == 0 && low <= INT32_MAX ? low : UINT32_MAX;
}

uint32_t petite_size_field(const struct petite_file *file, uint32_t table, uint32_t slot)
{
	uint32_t at = petite_field(file, table, slot);

	return at == 0 ? 0 : petite_size_at(file, at);
}

/** Read the extended header; all its numbers must fit 32 bits and lie inside the file. */
static bool open_segments(struct petite_file *file, uint32_t size, uint32_t *at)
{
	uint32_t header = petite_u32_at(file, 12);
	uint32_t tables = petite_size_at(file, 16);
	uint32_t segments = petite_size_at(file, 24);
	uint32_t length;

	*at = 12;
	if (header < HEADER_LEAST || header > size - HEADER_AT) {
		return false;
	}
	*at = 16;
	if (tables > size || tables < HEADER_AT + header) {
		return false;
	}
	*at = 24;
	if (segments != 0 && (segments < tables || segments > size)) {
		return false;
	}
	length = segments == 0 ? 0 : size - segments;
	if (header >= HEADER_WITH_SIZE) {
		*at = 32;
		if (petite_size_at(file, 32) > length) {
			return false;
		}
		length = petite_size_at(file, 32);
	}
	file->first = HEADER_AT + header;
	file->tables = tables;
	file->segments = segments;
	file->segments_size = length;
	return true;
}

bool petite_open_file(struct petite_file *file, const void *bytes, uint32_t size, uint32_t *at)
{
	*file = (struct petite_file){.bytes = bytes, .first = SHORT_HEADER, .tables = size};
	*at = 4;
	/* Offsets between tables are signed. */
	if (size < SHORT_HEADER + 4 || size > INT32_MAX || petite_u32_at(file, 4) != IDENTIFIER) {
		return false;
	}
	if (petite_u32_at(file, HEADER_AT) == EXTENDED) {
		*at = HEADER_AT;
		if (size < HEADER_AT + HEADER_WITH_SIZE || !open_segments(file, size, at)) {
			return false;
		}
	}
	*at = 0;
	file->root = petite_u32_at(file, 0);
	return file->root >= file->first && file->root <= file->tables - 4 && file->root % 4 == 0;
}
