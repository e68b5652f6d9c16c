/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/executor.h>

#include "run.h"

enum petite_status petite_reset(const struct petite_plan *plan)
{
	enum petite_status status = petite_acquire(plan);

	if (status != PETITE_OK) {
		return status;
	}
	petite_restore_states(plan);
	petite_release(plan);
	return PETITE_OK;
}

enum petite_status petite_run(const struct petite_plan *plan)
{
	enum petite_status status = petite_acquire(plan);

	if (status != PETITE_OK) {
		return status;
	}
	return petite_run_acquired(plan, NULL);
}
