/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/executor.h>

#include "check.h"
#include "model.h"

static enum petite_status nested;

static void run_again(void)
{
	nested = petite_run(&plan);
}

static void reset_again(void)
{
	nested = petite_reset(&plan);
}

TEST(first_call_starts_from_the_initial_states)
{
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(ran == STEPS);
	CHECK(states[0][0] == 1 + STEPS && states[0][1] == 2);
	CHECK(states[1][0] == STEPS && states[1][1] == 0);
}

TEST(states_survive_until_a_reset)
{
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(states[0][0] == 1 + 2 * STEPS);
	CHECK(petite_reset(&plan) == PETITE_OK);
	CHECK(states[0][0] == 1 && states[0][1] == 2 && states[1][0] == 0 && states[1][1] == 0);
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(states[0][0] == 1 + STEPS);
}

TEST(a_failing_step_is_the_last)
{
	actions[1].status = PETITE_ERR_KERNEL;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	CHECK(ran == 2);
	actions[1].status = PETITE_OK;
	CHECK(petite_run(&plan) == PETITE_OK);
}

TEST(skipped_steps_do_not_run)
{
	actions[0].skip = 1;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(ran == 2 && ran_steps == 5);
	actions[0].skip = 2;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(ran == 3);
	actions[0].skip = 0;
	actions[1].skip = 1;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(ran == 5 && !context.busy);
}

TEST(no_step_skips_beyond_the_end)
{
	actions[0].skip = 3;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	CHECK(ran == 1 && !context.busy);
	actions[0].skip = PETITE_MAX_SKIP;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	actions[0].skip = INT32_MAX;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	actions[0].skip = 0;
	actions[2].skip = 1;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	CHECK(ran == 6);
}

TEST(a_running_model_is_busy)
{
	actions[1].call = run_again;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(nested == PETITE_ERR_BUSY && ran == STEPS);
	actions[1].call = reset_again;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(nested == PETITE_ERR_BUSY && states[0][0] == 1 + 2 * STEPS);
}

TEST(refusals)
{
	struct petite_plan other = plan;

	other.abi = PETITE_ABI + 1;
	CHECK(petite_run(NULL) == PETITE_ERR_ARGUMENT);
	CHECK(petite_reset(NULL) == PETITE_ERR_ARGUMENT);
	CHECK(petite_run(&other) == PETITE_ERR_VERSION);
	CHECK(petite_reset(&other) == PETITE_ERR_VERSION);
	CHECK(ran == 0 && states[0][0] == 77 && !context.busy && !context.ready);
}

TESTS(ENTRY(first_call_starts_from_the_initial_states), ENTRY(states_survive_until_a_reset),
      ENTRY(a_failing_step_is_the_last), ENTRY(skipped_steps_do_not_run),
      ENTRY(no_step_skips_beyond_the_end), ENTRY(a_running_model_is_busy), ENTRY(refusals))
