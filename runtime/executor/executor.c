/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include <petite/executor.h>

static enum petite_status acquire(const struct petite_plan *plan)
{
	if (plan == NULL) {
		return PETITE_ERR_ARGUMENT;
	}
	if (plan->abi != PETITE_ABI) {
		return PETITE_ERR_VERSION;
	}
	if (plan->context->busy) {
		return PETITE_ERR_BUSY;
	}
	plan->context->busy = 1;
	return PETITE_OK;
}

static void restore_states(const struct petite_plan *plan)
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

enum petite_status petite_reset(const struct petite_plan *plan)
{
	enum petite_status status = acquire(plan);

	if (status != PETITE_OK) {
		return status;
	}
	restore_states(plan);
	plan->context->busy = 0;
	return PETITE_OK;
}

enum petite_status petite_run(const struct petite_plan *plan)
{
	enum petite_status status = acquire(plan);

	if (status != PETITE_OK) {
		return status;
	}
	if (!plan->context->ready) {
		restore_states(plan);
	}
	for (uint32_t i = 0; i < plan->step_count && status == PETITE_OK; i++) {
		status = plan->steps[i].run(plan->steps[i].params);
	}
	plan->context->busy = 0;
	return status;
}
