/* SPDX-License-Identifier: Apache-2.0 */
/* Verifies the constants of a model and profiles one run, with a runtime that has PETITE_LOG. */
#include <stddef.h>

#include <petite/platform.h>
#include <petite/profile.h>
#include <petite/verify.h>

#include "kws.h"

/* The emulator is asked to count between these two. */
void petite_mark_start(void);
void petite_mark_stop(void);

/* One tick a reading: what lies between two readings takes one tick, on every machine. */
static uint32_t count_readings(void)
{
	static uint32_t readings = UINT32_MAX - 3U;

	return readings++;
}

int main(void)
{
	static uint32_t ticks[KWS_STEP_COUNT];
	uint32_t corrupt = 0;
	enum petite_status status;

	petite_mark_start();
	status = petite_verify(&kws_checksums, &corrupt);
	petite_mark_stop();
	petite_platform_log(PETITE_LOG_DEBUG, "verified, status", NULL, status);
	if (status == PETITE_ERR_CORRUPT) {
		petite_platform_log(PETITE_LOG_ERROR, "corrupt constant", NULL, (int32_t)corrupt);
		return 0;
	}
	petite_platform_log(PETITE_LOG_DEBUG, "smallest", NULL, INT32_MIN);
	status = petite_run_profiled(&kws_plan, count_readings, ticks, KWS_STEP_COUNT);
	for (uint32_t i = 0; i < KWS_STEP_COUNT; i++) {
		petite_platform_log(PETITE_LOG_DEBUG, kws_step_names[i], NULL, (int32_t)ticks[i]);
	}
	petite_run_profiled(&kws_plan, count_readings, ticks, KWS_STEP_COUNT - 1);
	return status == PETITE_OK ? 0 : 1;
}
