/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "loading.h"
#include "schema.h"

/** Element types by the number that a file has for them: type, and bytes of an element. */
static const struct {
	uint8_t dtype;
	uint8_t size;
} types[] = {
	[0] = {PETITE_U8, 1},    [1] = {PETITE_S8, 1},  [2] = {PETITE_S16, 2},
	[3] = {PETITE_S32, 4},   [4] = {PETITE_S64, 8}, [6] = {PETITE_F32, 4},
	[11] = {PETITE_BOOL, 1},
};

/** Sizes and order. Gives the bytes; 0 and a failure where they contradict each other. */
static uint32_t read_shape(struct petite_loading *loading, uint32_t table, uint32_t element_size,
			   struct petite_load_tensor *tensor)
{
	const struct petite_file *file = &loading->file;
	uint32_t sizes = petite_child(file, table, PETITE_TENSOR_SIZES);
	uint32_t order = petite_child(file, table, PETITE_TENSOR_ORDER);
	uint32_t rank = petite_length(file, sizes);
	uint64_t largest = element_size;
	uint32_t seen = 0;

	petite_loading_check(loading, rank == petite_length(file, order), order);
	petite_loading_require(loading, rank <= PETITE_LOAD_RANK, sizes);
	if (loading->status != PETITE_OK) {
		return 0;
	}
	tensor->rank = (uint8_t)rank;
	tensor->count = 1;
	for (uint32_t k = 0; k < rank; k++) {
		int32_t size = petite_i32_at(file, sizes + 4 + 4 * k);
		uint8_t dimension = petite_u8_at(file, order + 4 + k);

		/* Strides must fit even where another dimension is 0. */
		largest *= size > 1 ? (uint32_t)size : 1;
		if (size < 0 || largest > INT32_MAX || dimension >= rank ||
		    (seen >> dimension & 1)) {
			petite_loading_contradict(loading, sizes);
			return 0;
		}
		seen |= 1u << dimension;
		tensor->sizes[k] = size;
		tensor->order[k] = dimension;
		tensor->count *= size;
	}
	return (uint32_t)tensor->count * element_size;
}

/** A segment of the file: where it begins, and its size. 0 and a failure where it is not inside. */
static uint32_t find_segment(struct petite_loading *loading, uint32_t index, uint32_t *size)
{
	const struct petite_file *file = &loading->file;
	uint32_t segments = petite_child(file, file->root, PETITE_PROGRAM_SEGMENTS);
	uint32_t offset;
	uint32_t length;
	uint32_t table;

	*size = 0;
	if (index >= petite_length(file, segments)) {
		petite_loading_contradict(loading, segments);
		return 0;
	}
	table = petite_element(file, segments, index);
	offset = petite_size_field(file, table, PETITE_SEGMENT_OFFSET);
	length = petite_size_field(file, table, PETITE_SEGMENT_SIZE);
	if (offset > file->segments_size || length > file->segments_size - offset) {
		petite_loading_contradict(loading, table);
		return 0;
	}
	*size = length;
	return file->segments + offset;
}

/** A piece of a segment. */
static uint32_t find_piece(struct petite_loading *loading, uint32_t table, uint32_t index,
			   uint32_t *size)
{
	const struct petite_file *file = &loading->file;
	uint32_t offsets = petite_child(file, table, PETITE_SUBSEGMENT_OFFSETS);
	uint32_t start;
	uint32_t offset;

	start = find_segment(loading, petite_u32_field(file, table, PETITE_SUBSEGMENT_INDEX), size);
	if (index >= petite_length(file, offsets)) {
		petite_loading_contradict(loading, offsets);
		return 0;
	}
	offset = petite_size_at(file, offsets + 4 + 8 * index);
	if (offset > *size) {
		petite_loading_contradict(loading, offsets);
		return 0;
	}
	*size -= offset;
	return start + offset;
}

/** Where a constant is, in a segment or among the tables, and how many bytes there may be of it. */
static uint32_t find_constant(struct petite_loading *loading, uint32_t index, uint32_t *size)
{
	const struct petite_file *file = &loading->file;
	uint32_t pieces = petite_child(file, file->root, PETITE_PROGRAM_CONSTANT_SEGMENT);
	uint32_t buffers = petite_child(file, file->root, PETITE_PROGRAM_CONSTANTS);
	uint32_t storage;

	if (pieces != 0 &&
	    petite_length(file, petite_child(file, pieces, PETITE_SUBSEGMENT_OFFSETS)) > 0) {
		return find_piece(loading, pieces, index, size);
	}
	*size = 0;
	if (index >= petite_length(file, buffers)) {
		petite_loading_contradict(loading, buffers);
		return 0;
	}
	storage = petite_child(file, petite_element(file, buffers, index), PETITE_ONLY_SLOT);
	*size = petite_length(file, storage);
	return storage + 4;
}

/** Where the initial contents of a state are. */
static uint32_t find_initial(struct petite_loading *loading, uint32_t table, uint32_t index,
			     uint32_t *size)
{
	const struct petite_file *file = &loading->file;
	uint32_t all = petite_child(file, file->root, PETITE_PROGRAM_STATE_SEGMENTS);
	uint32_t extra = petite_child(file, table, PETITE_TENSOR_EXTRA);
	uint32_t which =
		extra == 0 ? 0 : petite_size_field(file, extra, PETITE_EXTRA_STATE_SEGMENT);

	if (which >= petite_length(file, all)) {
		*size = 0;
		petite_loading_contradict(loading, all);
		return 0;
	}
	return find_piece(loading, petite_element(file, all, which), index, size);
}

/** Where a tensor lies that the file has planned: bytes from the start of the arena. */
static uint32_t planned_offset(struct petite_loading *loading, uint32_t allocation, uint32_t size)
{
	const struct petite_file *file = &loading->file;
	uint32_t memories = petite_child(file, loading->method, PETITE_PLAN_MEMORIES);
	uint32_t memory = petite_u32_field(file, allocation, PETITE_ALLOCATION_MEMORY);
	uint32_t offset = petite_u32_field(file, allocation, PETITE_ALLOCATION_LOW);
	uint32_t start = 0;
	uint32_t length;

	if (memory == 0 || memory >= petite_length(file, memories) ||
	    petite_u32_field(file, allocation, PETITE_ALLOCATION_HIGH) != 0) {
		petite_loading_contradict(loading, allocation);
		return 0;
	}
	/* The memories lie one behind the other; that their sum fits was seen when they were
	 * counted.
	 */
	for (uint32_t i = 1; i < memory; i++) {
		start += (petite_size_at(file, memories + 4 + 8 * i) + 15) & ~15u;
	}
	length = petite_size_at(file, memories + 4 + 8 * memory);
	if (offset > length || size > length - offset) {
		petite_loading_contradict(loading, allocation);
		return 0;
	}
	return start + offset;
}

/** Whether a tensor is of the kind that can be loaded: dense, in this file. */
static bool is_plain(const struct petite_file *file, uint32_t table)
{
	uint32_t extra = petite_child(file, table, PETITE_TENSOR_EXTRA);

	return petite_u32_field(file, table, PETITE_TENSOR_STORAGE_OFFSET) == 0 &&
	       petite_u8_field(file, table, PETITE_TENSOR_LAYOUT) == 0 &&
	       (extra == 0 || (petite_u8_field(file, extra, PETITE_EXTRA_LOCATION) == 0 &&
			       petite_u8_field(file, extra, PETITE_EXTRA_DEVICE) == 0));
}

/**
 * Whether a tensor's sizes are its shape. Those of one that a loop fills, row by row, are its
 * largest: they are its shape once the last row is written.
 */
static bool is_of_its_sizes(const struct petite_loading *loading, uint32_t index, uint32_t table)
{
	uint8_t dynamism = petite_u8_field(&loading->file, table, PETITE_TENSOR_DYNAMISM);

	return dynamism == PETITE_DYNAMISM_STATIC ||
	       (dynamism == PETITE_DYNAMISM_BOUND && petite_is_written(loading, index));
}

/** Contents in the file; copied where they are not aligned for their type. */
static void place_constant(struct petite_loading *loading, uint32_t index, uint32_t element_size,
			   struct petite_place *place)
{
	uint32_t stored;
	uint32_t at = find_constant(loading, index, &stored);

	petite_loading_check(loading, place->size <= stored, at);
	if (loading->status != PETITE_OK) {
		return;
	}
	place->tensor.is_constant = true;
	place->tensor.data = (void *)(uintptr_t)(loading->file.bytes + at);
	if (at % element_size != 0) {
		void *copy = petite_loading_reserve(loading, place->size);

		loading->copied += place->size;
		if (copy != NULL) {
			memcpy(copy, place->tensor.data, place->size);
			place->tensor.data = copy;
		}
	}
}

/** Bytes of the arena; their initial contents may be in the file. */
static void place_planned(struct petite_loading *loading, uint32_t table, uint32_t allocation,
			  uint32_t element_size, struct petite_place *place)
{
	uint32_t index = petite_u32_field(&loading->file, table, PETITE_TENSOR_DATA);
	uint32_t stored = 0;

	place->offset = planned_offset(loading, allocation, place->size);
	petite_loading_require(loading, place->offset % element_size == 0, allocation);
	if (index != 0) {
		place->initial = find_initial(loading, table, index, &stored);
		petite_loading_check(loading, place->size <= stored, table);
	}
	/* While memory is counted there is no arena, and this is a number that nobody follows. */
	place->tensor.data = (void *)((uintptr_t)loading->arena + place->offset);
}

/** Where `types` has the element type of a tensor; 0 and a failure where it has not. */
static uint32_t type_of(struct petite_loading *loading, uint32_t table)
{
	uint8_t code = petite_u8_field(&loading->file, table, PETITE_TENSOR_DTYPE);
	bool is_known = code < sizeof(types) / sizeof(types[0]) && types[code].size != 0;

	petite_loading_require(loading, is_known, table);
	return is_known ? code : 0;
}

uint8_t petite_loading_dtype(struct petite_loading *loading, uint32_t index)
{
	uint32_t table = petite_loading_value(loading, index, PETITE_VALUE_TENSOR);
	uint32_t type = table == 0 ? 0 : type_of(loading, table);

	return loading->status == PETITE_OK ? types[type].dtype : 0;
}

void petite_loading_tensor(struct petite_loading *loading, uint32_t index,
			   struct petite_place *place)
{
	const struct petite_file *file = &loading->file;
	uint32_t table = petite_loading_value(loading, index, PETITE_VALUE_TENSOR);
	uint32_t data;
	uint32_t allocation;
	uint32_t code;

	memset(place, 0, sizeof(*place));
	if (table == 0) {
		return;
	}
	code = type_of(loading, table);
	petite_loading_require(
		loading, is_plain(file, table) && is_of_its_sizes(loading, index, table), table);
	if (loading->status == PETITE_OK) {
		place->tensor.dtype = types[code].dtype;
		place->size = read_shape(loading, table, types[code].size, &place->tensor);
	}
	data = petite_u32_field(file, table, PETITE_TENSOR_DATA);
	allocation = petite_child(file, table, PETITE_TENSOR_ALLOCATION);
	petite_loading_require(loading, data != 0 || allocation != 0, table);
	if (loading->status == PETITE_OK) {
		if (allocation == 0) {
			place_constant(loading, data, types[code].size, place);
		} else {
			place_planned(loading, table, allocation, types[code].size, place);
		}
	}
	if (loading->status != PETITE_OK) {
		memset(place, 0, sizeof(*place));
	}
}

bool petite_is_contiguous(const struct petite_load_tensor *tensor)
{
	uint32_t least = 0;

	for (uint32_t k = 0; k < tensor->rank; k++) {
		if (tensor->sizes[tensor->order[k]] != 1) {
			if (tensor->order[k] < least) {
				return false;
			}
			least = tensor->order[k];
		}
	}
	return true;
}
