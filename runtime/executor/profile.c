/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/profile.h>

#include "run.h"

enum petite_status petite_run_profiled(const struct petite_plan *plan, petite_ticks ticks,
				       uint32_t *step_ticks, uint32_t capacity)
{
	const struct petite_stopwatch stopwatch = {ticks, step_ticks};
	enum petite_status status = petite_acquire(plan);

	if (status != PETITE_OK) {
		return status;
	}
	if (ticks == NULL || step_ticks == NULL || capacity < plan->step_count) {
		PETITE_SAY_ERROR("no clock, or ticks of too few steps, capacity", plan, capacity);
		petite_release(plan);
		return PETITE_ERR_ARGUMENT;
	}
	return petite_run_acquired(plan, &stopwatch);
}
