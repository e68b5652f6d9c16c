/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/executor.h>
#include <petite/profile.h>

#include "check.h"
#include "model.h"

/* One more than needed, to see that nothing is written there. */
static uint32_t ticks[STEPS + 1];
static enum petite_status nested;

static void set_up(void)
{
	for (uint32_t i = 0; i <= STEPS; i++) {
		ticks[i] = 1000 + i;
	}
	actions[0].ticks = 5;
	actions[1].ticks = 70;
	actions[2].ticks = 900;
}

static enum petite_status run(void)
{
	return petite_run_profiled(&plan, read_clock, ticks, STEPS);
}

static void run_again(void)
{
	nested = run();
}

TEST(each_step_has_its_ticks)
{
	set_up();
	CHECK(run() == PETITE_OK);
	CHECK(ticks[0] == 5 && ticks[1] == 70 && ticks[2] == 900);
	CHECK(ticks[STEPS] == 1000 + STEPS);
	CHECK(readings == STEPS + 1);
}

TEST(the_clock_may_wrap)
{
	set_up();
	now = UINT32_MAX - 20;
	actions[2].ticks = UINT32_MAX;
	CHECK(run() == PETITE_OK);
	CHECK(ticks[0] == 5 && ticks[1] == 70 && ticks[2] == UINT32_MAX);
}

TEST(it_does_what_a_run_does)
{
	set_up();
	CHECK(run() == PETITE_OK);
	CHECK(states[0][0] == 1 + STEPS && states[0][1] == 2 && states[1][0] == STEPS);
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(run() == PETITE_OK);
	CHECK(states[0][0] == 1 + 3 * STEPS);
}

TEST(ticks_after_a_failure_stay)
{
	set_up();
	actions[1].status = PETITE_ERR_KERNEL;
	CHECK(run() == PETITE_ERR_KERNEL);
	CHECK(ticks[0] == 5 && ticks[1] == 70 && ticks[2] == 1002);
	CHECK(!context.busy);
}

TEST(skipped_steps_take_no_time)
{
	set_up();
	actions[0].skip = 1;
	CHECK(run() == PETITE_OK);
	CHECK(ticks[0] == 5 && ticks[1] == 0 && ticks[2] == 900);
	CHECK(ran == 2 && ticks[STEPS] == 1000 + STEPS);
}

TEST(ticks_of_steps_that_cannot_be_skipped_stay)
{
	set_up();
	actions[1].skip = 2;
	CHECK(run() == PETITE_ERR_KERNEL);
	CHECK(ticks[0] == 5 && ticks[1] == 70 && ticks[2] == 1002 && ticks[STEPS] == 1000 + STEPS);
}

TEST(a_running_model_is_busy)
{
	set_up();
	actions[0].call = run_again;
	CHECK(run() == PETITE_OK);
	CHECK(nested == PETITE_ERR_BUSY && ran == STEPS);
	CHECK(ticks[0] == 5);
}

TEST(refusals)
{
	struct petite_plan other = plan;

	set_up();
	other.abi = PETITE_ABI + 1;
	CHECK(petite_run_profiled(NULL, read_clock, ticks, STEPS) == PETITE_ERR_ARGUMENT);
	CHECK(petite_run_profiled(&other, read_clock, ticks, STEPS) == PETITE_ERR_VERSION);
	CHECK(petite_run_profiled(&plan, NULL, ticks, STEPS) == PETITE_ERR_ARGUMENT);
	CHECK(petite_run_profiled(&plan, read_clock, NULL, STEPS) == PETITE_ERR_ARGUMENT);
	CHECK(petite_run_profiled(&plan, read_clock, ticks, STEPS - 1) == PETITE_ERR_ARGUMENT);
	CHECK(ran == 0 && readings == 0 && ticks[0] == 1000);
	CHECK(!context.busy && !context.ready && states[0][0] == 77);
	CHECK(run() == PETITE_OK);
}

TESTS(ENTRY(each_step_has_its_ticks), ENTRY(the_clock_may_wrap), ENTRY(it_does_what_a_run_does),
      ENTRY(ticks_after_a_failure_stay), ENTRY(skipped_steps_take_no_time),
      ENTRY(ticks_of_steps_that_cannot_be_skipped_stay), ENTRY(a_running_model_is_busy),
      ENTRY(refusals))
