/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reading the flatbuffer tables of a program file.
 *
 * Positions are bytes from the start of the file; 0 stands for "absent", as no table can lie there.
 * The functions trust what they read: verify_tables.h is what makes that safe.
 */
#ifndef PETITE_LOADER_FILE_H
#define PETITE_LOADER_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** A program file and its parts. */
struct petite_file {
	const uint8_t *bytes;
	/** Tables lie in [first, tables). */
	uint32_t first;
	uint32_t tables;
	/** Segments lie in [segments, segments + segments_size). */
	uint32_t segments;
	uint32_t segments_size;
	/** The root table. */
	uint32_t root;
};

/* Program files are little-endian, as every core is that this runs on. */

static inline uint8_t petite_u8_at(const struct petite_file *file, uint32_t at)
{
	return file->bytes[at];
}

static inline uint16_t petite_u16_at(const struct petite_file *file, uint32_t at)
{
	uint16_t value;

	memcpy(&value, file->bytes + at, sizeof(value));
	return value;
}

static inline uint32_t petite_u32_at(const struct petite_file *file, uint32_t at)
{
	uint32_t value;

	memcpy(&value, file->bytes + at, sizeof(value));
	return value;
}

static inline int32_t petite_i32_at(const struct petite_file *file, uint32_t at)
{
	return (int32_t)petite_u32_at(file, at);
}

static inline uint64_t petite_u64_at(const struct petite_file *file, uint32_t at)
{
	uint64_t value;

	memcpy(&value, file->bytes + at, sizeof(value));
	return value;
}

/** Where a table has a field, or 0. */
uint32_t petite_field(const struct petite_file *file, uint32_t table, uint32_t slot);

/** Where the table, vector or string begins that a field leads to, or 0. */
uint32_t petite_child(const struct petite_file *file, uint32_t table, uint32_t slot);

/** A number of 64 bits that is a size or an offset: one that no file has is UINT32_MAX. */
uint32_t petite_size_at(const struct petite_file *file, uint32_t at);

/** A number of a table; 0 where it is absent. */
uint8_t petite_u8_field(const struct petite_file *file, uint32_t table, uint32_t slot);
uint32_t petite_u32_field(const struct petite_file *file, uint32_t table, uint32_t slot);
uint64_t petite_u64_field(const struct petite_file *file, uint32_t table, uint32_t slot);
uint32_t petite_size_field(const struct petite_file *file, uint32_t table, uint32_t slot);

/** Elements of a vector; 0 where it is absent. They begin 4 bytes behind it. */
static inline uint32_t petite_length(const struct petite_file *file, uint32_t vector)
{
	return vector == 0 ? 0 : petite_u32_at(file, vector);
}

/** The table that element `index` of a vector of tables leads to. */
static inline uint32_t petite_element(const struct petite_file *file, uint32_t vector,
				      uint32_t index)
{
	uint32_t at = vector + 4 + 4 * index;

	return at + petite_u32_at(file, at);
}

/**
 * @brief Find the parts of a file: its header, and whether they lie inside it.
 *
 * @return Whether it is a program file. If not, `at` is set to the byte that says so.
 */
bool petite_open_file(struct petite_file *file, const void *bytes, uint32_t size, uint32_t *at);

#endif /* PETITE_LOADER_FILE_H */
