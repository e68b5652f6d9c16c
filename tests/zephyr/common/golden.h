/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Inputs of a model, and the outputs that it has to give for them, bit for bit.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

#include <petite/plan.h>

/** Most inputs, and most outputs, that a method of these models has. */
#define GOLDEN_PORTS 2

/** One run of a method. */
struct golden_call {
	/** Index in NAME_plans. */
	size_t method;
	const void *inputs[GOLDEN_PORTS];
	const void *outputs[GOLDEN_PORTS];
};

/** Runs of a model. */
struct golden {
	/** [count] */
	const struct golden_call *calls;
	size_t count;
	/** Whether each call goes on from the state that the one before left. */
	bool sequence;
};

/** Make all calls of a model, whose plans are NAME_plans, and assert that its outputs are right. */
void golden_check(const struct golden *golden, const struct petite_plan *const *plans);

/** Make one call, and give its status; outputs are left for the caller. */
enum petite_status golden_run(const struct golden_call *call,
			      const struct petite_plan *const *plans);

/** Whether the outputs in the model's memory are those of the call. */
bool golden_outputs_right(const struct golden_call *call, const struct petite_plan *const *plans);

#endif /* GOLDEN_H */
