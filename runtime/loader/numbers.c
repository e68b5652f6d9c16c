/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of a method. Instructions may set them, to count the turns of a loop: all of them are
 * known while the program is loaded.
 */
#include <stddef.h>

#include "loading.h"
#include "schema.h"

struct petite_number *petite_loading_find_number(struct petite_loading *loading, uint32_t index)
{
	struct petite_number *set = loading->numbers;

	for (uint32_t left = loading->number_count; left > 0; left--) {
		if (set->index == index) {
			return set;
		}
		set++;
	}
	return NULL;
}

uint64_t petite_loading_number(struct petite_loading *loading, uint32_t index, uint8_t *type)
{
	const struct petite_file *file = &loading->file;
	const struct petite_number *set = petite_loading_find_number(loading, index);
	uint32_t table;

	*type = petite_loading_type(loading, index);
	table = petite_loading_value(loading, index, *type);
	petite_loading_require(loading,
			       (*type == PETITE_VALUE_BOOL || *type == PETITE_VALUE_INT ||
				*type == PETITE_VALUE_DOUBLE) &&
				       (set == NULL || set->depth != PETITE_NUMBER_UNKNOWN),
			       loading->values);
	if (loading->status != PETITE_OK) {
		return 0;
	}
	if (set != NULL) {
		return (uint64_t)(int64_t)set->number;
	}
	return *type == PETITE_VALUE_BOOL ? petite_u8_field(file, table, PETITE_ONLY_SLOT) != 0
					  : petite_u64_field(file, table, PETITE_ONLY_SLOT);
}

void petite_loading_forget_numbers(struct petite_loading *loading)
{
	for (uint32_t i = 0; i < loading->number_count; i++) {
		struct petite_number *set = &loading->numbers[i];

		if (set->depth >= loading->depth) {
			set->depth = set->number == set->before ? (uint16_t)(loading->depth - 1)
								: PETITE_NUMBER_UNKNOWN;
		}
	}
}
