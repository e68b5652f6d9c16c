/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sides of branches, and the jumps that lead through them.
 *
 * A file has one jump, "continue elsewhere where this is false". On a tensor it must stand in front
 * of one side of a branch, at whose end a jump on a constant leads over the other side, as
 * ExecuTorch writes torch.cond: then it becomes a step that skips the side, and the one at the end
 * a step that skips the other. On a number it is taken, or not, while the program is loaded; so
 * loops are unrolled. All jumps stay inside the side that they are on, so a step is only ever
 * skipped together with all others of its instruction.
 */
#include "../kernels/branch/branch.h"
#include "loading.h"
#include "schema.h"

/** Whether a number that is known now is true. */
static bool is_true(struct petite_loading *loading, uint32_t index)
{
	uint8_t type;
	uint64_t number = petite_loading_number(loading, index, &type);

	petite_loading_require(loading, type == PETITE_VALUE_BOOL, loading->values);
	return number != 0;
}

/** A step that skips others unless a byte is true. */
static void add_branch(struct petite_loading *loading, const void *condition)
{
	const struct petite_branch params = {.condition = condition, .sense = 1};

	petite_loading_step(loading, petite_branch_scalar, &params, sizeof(params));
}

/** Begin the first side of a branch, which ends in front of instruction `middle`. */
static void enter(struct petite_loading *loading, uint32_t condition, uint32_t middle)
{
	const struct petite_side *around = loading->side;
	const uint32_t words = petite_written_words(loading);
	struct petite_place place;
	uint32_t end = 0;
	uint8_t type = 0;

	petite_loading_tensor(loading, condition, &place);
	petite_loading_read(loading, condition, &place);
	if (middle >= loading->number + 2 && middle <= around->stop) {
		end = petite_u32_field(&loading->file,
				       petite_loading_instruction(loading, middle - 1, &type),
				       PETITE_JUMP_DESTINATION);
	}
	petite_loading_require(loading,
			       place.tensor.dtype == PETITE_BOOL && place.tensor.count == 1 &&
				       type == PETITE_INSTRUCTION_JUMP && end >= middle &&
				       end <= around->stop && loading->depth < PETITE_LOAD_NESTED &&
				       (loading->depth + 2) * words <= PETITE_WRITTEN_WORDS,
			       loading->values);
	if (loading->status != PETITE_OK) {
		return;
	}
	loading->depth++;
	loading->side++;
	*loading->side = (struct petite_side){
		.start = loading->number + 1,
		.stop = middle - 1,
		.end = end,
		.step = loading->step_count,
	};
	memcpy(loading->written + loading->depth * words, loading->written,
	       words * sizeof(loading->written[0]));
	add_branch(loading, place.tensor.data);
}

/** The steps of a side end here; on the way to what follows there may have been others. */
static void end_side(struct petite_loading *loading, const struct petite_side *side)
{
	petite_loading_forget_numbers(loading);
	if (loading->is_filling) {
		struct petite_branch *branch =
			(struct petite_branch *)(uintptr_t)loading->steps[side->step].params;

		branch->skip = (int32_t)(loading->step_count - side->step - 1);
	}
}

uint32_t petite_loading_leave_side(struct petite_loading *loading)
{
	static const uint8_t is_false = 0;
	struct petite_side *side = loading->side;
	const bool is_first = side->stop < side->end;
	const uint32_t words = petite_written_words(loading);
	const uint32_t step = loading->step_count;

	if (is_first) {
		uint8_t type;
		uint32_t jump = petite_loading_instruction(loading, side->stop, &type);
		uint32_t condition = petite_u32_field(&loading->file, jump, PETITE_JUMP_CONDITION);

		petite_loading_require(loading, !is_true(loading, condition), jump);
		add_branch(loading, &is_false);
	}
	if (loading->status != PETITE_OK) {
		return 0;
	}
	end_side(loading, side);
	for (uint32_t i = 0; i < words; i++) {
		uint32_t *other = &loading->written[loading->depth * words + i];
		uint32_t now = loading->written[i];

		loading->written[i] = is_first ? *other : now & *other;
		*other = now;
	}
	if (!is_first) {
		loading->depth--;
		loading->side--;
		return side->stop;
	}
	*side = (struct petite_side){
		.start = side->stop + 1, .stop = side->end, .end = side->end, .step = step};
	return side->start;
}

uint32_t petite_loading_jump(struct petite_loading *loading, uint32_t table)
{
	const struct petite_file *file = &loading->file;
	const struct petite_side *side = loading->side;
	const uint32_t number = loading->number;
	uint32_t condition = petite_u32_field(file, table, PETITE_JUMP_CONDITION);
	uint32_t target = petite_u32_field(file, table, PETITE_JUMP_DESTINATION);

	if (petite_loading_type(loading, condition) == PETITE_VALUE_TENSOR) {
		enter(loading, condition, target);
		return number + 1;
	}
	if (is_true(loading, condition)) {
		return number + 1;
	}
	loading->repeated += target <= number ? number + 1 - target : 0;
	petite_loading_require(loading,
			       target >= side->start && target <= side->stop &&
				       loading->repeated <= PETITE_LOAD_REPEATED,
			       table);
	return target;
}
