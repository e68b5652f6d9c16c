/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was written to the bytes of tensors, and so what is a state: what is read before.
 *
 * There is a bit for each value, and they are what is so wherever a branch has led. While a side of
 * a branch is gone through, the bits of the other way to its end lie behind them (sides.c).
 */
#include <stddef.h>

#include "../kernels/copy/copy.h"
#include "loading.h"
#include "schema.h"

void petite_loading_write(struct petite_loading *loading, uint32_t index)
{
	if (index < loading->value_count) {
		loading->written[index / 32] |= 1u << index % 32;
	}
}

static bool overlap(const struct petite_place *a, const struct petite_place *b)
{
	return !a->tensor.is_constant && !b->tensor.is_constant &&
	       a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

/** Whether a tensor that was written shares bytes with this one. */
static bool is_view(struct petite_loading *loading, const struct petite_place *place)
{
	for (uint32_t i = 0; i < loading->value_count; i++) {
		struct petite_place other;

		if (petite_is_written(loading, i)) {
			petite_loading_tensor(loading, i, &other);
			if (overlap(&other, place)) {
				return true;
			}
		}
	}
	return false;
}

/** Whether two tensors have the same sizes and order. */
static bool is_same_shape(const struct petite_load_tensor *a, const struct petite_load_tensor *b)
{
	for (uint32_t k = 0; k < a->rank && a->rank == b->rank; k++) {
		if (a->sizes[k] != b->sizes[k] || a->order[k] != b->order[k]) {
			return false;
		}
	}
	return a->rank == b->rank;
}

/** Whether bytes of one tensor mean the same elements to another. */
static bool is_same_view(const struct petite_place *a, const struct petite_place *b)
{
	return a->size == b->size && a->tensor.dtype == b->tensor.dtype &&
	       ((petite_is_contiguous(&a->tensor) && petite_is_contiguous(&b->tensor)) ||
		is_same_shape(&a->tensor, &b->tensor));
}

/**
 * ExecuTorch elides views: a tensor may be another name for what an instruction wrote under its
 * own. That is right where both see the same elements; where memory was written in another order,
 * the elements would have to move.
 */
static void check_view(struct petite_loading *loading, const struct petite_place *place)
{
	for (uint32_t k = loading->number; k > 0; k--) {
		uint32_t value = petite_loading_result(loading, k - 1);
		struct petite_place writer;

		if (value >= loading->value_count || !petite_is_written(loading, value)) {
			continue;
		}
		petite_loading_tensor(loading, value, &writer);
		if (overlap(&writer, place)) {
			petite_loading_require(loading,
					       writer.offset == place->offset &&
						       is_same_view(&writer, place),
					       loading->values);
			return;
		}
	}
}

/** Bytes that nothing wrote before. Whichever side of a branch is the first to read them, they are
 * there on all.
 */
static void add_state(struct petite_loading *loading, uint32_t index,
		      const struct petite_place *place)
{
	if (loading->is_filling) {
		loading->states[loading->state_count] = (struct petite_state){
			.data = place->tensor.data,
			.initial =
				place->initial == 0 ? NULL : loading->file.bytes + place->initial,
			.size = place->size,
		};
	}
	loading->state_count++;
	for (uint32_t side = 1; side <= loading->depth; side++) {
		loading->written[side * petite_written_words(loading) + index / 32] |=
			1u << index % 32;
	}
}

void petite_loading_read(struct petite_loading *loading, uint32_t index,
			 const struct petite_place *place)
{
	if (loading->status != PETITE_OK || place->tensor.is_constant || place->size == 0 ||
	    petite_is_written(loading, index)) {
		return;
	}
	if (is_view(loading, place)) {
		check_view(loading, place);
	} else {
		add_state(loading, index, place);
	}
	petite_loading_write(loading, index);
}

void petite_loading_move(struct petite_loading *loading, uint32_t table)
{
	const struct petite_file *file = &loading->file;
	uint32_t source = petite_u32_field(file, table, PETITE_MOVE_FROM);
	uint32_t target = petite_u32_field(file, table, PETITE_MOVE_TO);
	struct petite_place from;
	struct petite_place to;
	struct petite_copy params;

	petite_loading_tensor(loading, source, &from);
	petite_loading_tensor(loading, target, &to);
	petite_loading_read(loading, source, &from);
	petite_loading_require(loading, !to.tensor.is_constant && is_same_view(&from, &to), table);
	if (to.size > 0 && (from.tensor.is_constant || from.offset != to.offset)) {
		petite_loading_require(loading, !overlap(&from, &to), table);
		params = (struct petite_copy){from.tensor.data, to.tensor.data, (int32_t)to.size};
		petite_loading_step(loading, petite_copy_scalar, &params, sizeof(params));
	}
	petite_loading_write(loading, target);
}
