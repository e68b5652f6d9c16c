/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a plan is run, for every function that runs one. The functions are inline, so that the run
 * without a clock is compiled without one.
 */
#ifndef PETITE_EXECUTOR_RUN_H
#define PETITE_EXECUTOR_RUN_H

#include <stddef.h>
#include <string.h>

#include <petite/plan.h>
#include <petite/profile.h>
#include <petite/status.h>

#include "log.h"

/* What measures the steps, and where their ticks go: one entry a step. */
struct petite_stopwatch {
	petite_ticks ticks;
	uint32_t *step_ticks;
};

/* Check a plan, and make its model busy until petite_release(). */
static inline enum petite_status petite_acquire(const struct petite_plan *plan)
{
	if (plan == NULL) {
		PETITE_SAY_ERROR("there is no plan, status", plan, PETITE_ERR_ARGUMENT);
		return PETITE_ERR_ARGUMENT;
	}
	if (plan->abi != PETITE_ABI) {
		PETITE_SAY_ERROR("compiled for another runtime, with PETITE_ABI", plan, plan->abi);
		return PETITE_ERR_VERSION;
	}
	if (*plan->busy) {
		PETITE_SAY_ERROR("a model runs in its arena already, status", plan,
				 PETITE_ERR_BUSY);
		return PETITE_ERR_BUSY;
	}
	*plan->busy = 1;
	return PETITE_OK;
}

static inline void petite_release(const struct petite_plan *plan)
{
	*plan->busy = 0;
}

/* Give every state of an acquired model its initial value. */
static inline void petite_restore_states(const struct petite_plan *plan)
{
	for (uint32_t i = 0; i < plan->state_count; i++) {
		const struct petite_state *state = &plan->states[i];

		if (state->initial != NULL) {
			memcpy(state->data, state->initial, state->size);
		} else {
			memset(state->data, 0, state->size);
		}
	}
	plan->context->ready = 1;
}

/* Move on by the steps of a branch that is not taken, from the step that says so. */
static inline enum petite_status petite_skip(const struct petite_plan *plan,
					     const struct petite_stopwatch *stopwatch,
					     uint32_t *step, uint32_t count)
{
	uint32_t last = *step + count;

	if (last >= plan->step_count) {
		return PETITE_ERR_KERNEL;
	}
	while (*step < last) {
		++*step;
		if (stopwatch != NULL) {
			stopwatch->step_ticks[*step] = 0;
		}
	}
	return PETITE_OK;
}

/* Run the steps of an acquired plan up to the first that fails. The stopwatch may be NULL. */
static inline enum petite_status petite_run_steps(const struct petite_plan *plan,
						  const struct petite_stopwatch *stopwatch)
{
	enum petite_status status = PETITE_OK;
	uint32_t start = stopwatch != NULL ? stopwatch->ticks() : 0;

	for (uint32_t i = 0; i < plan->step_count && status == PETITE_OK; i++) {
		status = plan->steps[i].run(plan->steps[i].params);
		if (stopwatch != NULL) {
			uint32_t end = stopwatch->ticks();

			stopwatch->step_ticks[i] = end - start;
			start = end;
		}
		if (status > PETITE_OK) {
			status = petite_skip(plan, stopwatch, &i, (uint32_t)status);
		}
		if (status != PETITE_OK) {
			PETITE_SAY_ERROR("failed in step", plan, i);
			PETITE_SAY_ERROR("failed with status", plan, status);
		}
	}
	return status;
}

/* Run an acquired plan and release it. The stopwatch may be NULL. */
static inline enum petite_status petite_run_acquired(const struct petite_plan *plan,
						     const struct petite_stopwatch *stopwatch)
{
	enum petite_status status;

	PETITE_SAY_DEBUG("starts, steps", plan, plan->step_count);
	if (!plan->context->ready) {
		petite_restore_states(plan);
	}
	status = petite_run_steps(plan, stopwatch);
	PETITE_SAY_DEBUG("ends, status", plan, status);
	petite_release(plan);
	return status;
}

#endif /* PETITE_EXECUTOR_RUN_H */
