/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "call.h"

/** Where a number is kept that is set; NULL and a failure where it cannot be. */
static struct petite_number *keep(struct petite_loading *loading, uint32_t index)
{
	struct petite_number *set = petite_loading_find_number(loading, index);
	uint8_t type;
	int64_t before;

	if (set == NULL) {
		before = (int64_t)petite_loading_number(loading, index, &type);
		petite_loading_require(loading,
				       loading->number_count < PETITE_LOAD_NUMBERS &&
					       before == (int32_t)before,
				       loading->values);
		if (loading->status != PETITE_OK) {
			return NULL;
		}
		set = &loading->numbers[loading->number_count++];
		*set = (struct petite_number){.index = (uint16_t)index,
					      .before = (int32_t)before,
					      .depth = loading->depth};
	}
	/* A side must not change what was set around it. */
	petite_loading_require(loading, set->depth >= loading->depth || set->number == set->before,
			       loading->values);
	return set;
}

void petite_call_set_number(struct petite_call *call, uint32_t position, uint8_t type,
			    int64_t number)
{
	struct petite_loading *loading = call->loading;
	struct petite_number *set;

	petite_call_require(call, petite_call_number_type(call, position) == type &&
					  number == (int32_t)number);
	set = petite_call_failed(call) ? NULL : keep(loading, petite_call_value(call, position));
	if (set != NULL) {
		set->number = (int32_t)number;
		set->depth = loading->depth;
	}
}

void petite_call_grown(struct petite_call *call, uint32_t position, uint8_t dtype, int32_t rows,
		       struct petite_load_tensor *tensor)
{
	struct petite_loading *loading = call->loading;
	uint32_t index = petite_call_value(call, position);

	/* A tensor that is not complete cannot be looked at otherwise. */
	petite_loading_write(loading, index);
	petite_call_output(call, position, dtype, tensor);
	petite_call_require(call, tensor->rank > 0 && rows > 0 && rows <= tensor->sizes[0]);
	if (!petite_call_failed(call) && rows < tensor->sizes[0]) {
		loading->written[index / 32] &= ~(1u << index % 32);
	}
}
