/* SPDX-License-Identifier: Apache-2.0 */
/* What petite_run() and petite_reset() promise, in threads. */
#include <string.h>

#include <zephyr/kernel.h>
#include <zephyr/ztest.h>

#include <petite/petite.h>

#include "methods_conv_and_float.h"
#include "methods_conv_and_float_golden.h"
#include "state_recurrent.h"
#include "state_recurrent_golden.h"

static const struct golden_call *const first = &state_recurrent_golden.calls[0];

ZTEST_SUITE(executor, NULL, NULL, NULL, NULL, NULL);

ZTEST(executor, test_no_plan)
{
	zassert_equal(petite_run(NULL), PETITE_ERR_ARGUMENT);
	zassert_equal(petite_reset(NULL), PETITE_ERR_ARGUMENT);
}

ZTEST(executor, test_plan_of_another_version)
{
	struct petite_plan other = state_recurrent_plan;

	other.abi = PETITE_ABI + 1;
	zassert_equal(petite_run(&other), PETITE_ERR_VERSION);
	zassert_equal(petite_reset(&other), PETITE_ERR_VERSION);
	zassert_false(other.context->busy);
}

ZTEST(executor, test_reset_gives_the_states_their_initial_values)
{
	const struct golden_call *second = &state_recurrent_golden.calls[1];

	zassert_ok(petite_reset(&state_recurrent_plan));
	zassert_ok(golden_run(first, state_recurrent_plans));
	zassert_true(golden_outputs_right(first, state_recurrent_plans));
	zassert_ok(golden_run(second, state_recurrent_plans));
	zassert_true(golden_outputs_right(second, state_recurrent_plans));

	/* Without a reset the state makes a difference. */
	zassert_ok(golden_run(first, state_recurrent_plans));
	zassert_false(golden_outputs_right(first, state_recurrent_plans));
	zassert_ok(petite_reset(&state_recurrent_plan));
	zassert_ok(golden_run(first, state_recurrent_plans));
	zassert_true(golden_outputs_right(first, state_recurrent_plans));
}

/* --- plans of steps written here -------------------------------------------------------------- */

static int steps_done;

static enum petite_status count_step(const void *params)
{
	ARG_UNUSED(params);
	steps_done++;
	return PETITE_OK;
}

static enum petite_status refuse(const void *params)
{
	ARG_UNUSED(params);
	return PETITE_ERR_KERNEL;
}

static struct petite_context context;

ZTEST(executor, test_kernel_that_refuses)
{
	const struct petite_step steps[] = {{count_step, NULL}, {refuse, NULL}, {count_step, NULL}};
	const struct petite_plan plan = {
		.abi = PETITE_ABI,
		.step_count = ARRAY_SIZE(steps),
		.steps = steps,
		.context = &context,
		.busy = &context.busy,
	};

	steps_done = 0;
	zassert_equal(petite_run(&plan), PETITE_ERR_KERNEL);
	zassert_equal(steps_done, 1);
	/* The model can be run again. */
	zassert_equal(petite_run(&plan), PETITE_ERR_KERNEL);
	zassert_equal(steps_done, 2);
}

/* --- a model that is busy in another thread --------------------------------------------------- */

#define STACK_SIZE (2048 + CONFIG_TEST_EXTRA_STACK_SIZE)

static K_SEM_DEFINE(inside, 0, 1);
static K_SEM_DEFINE(go_on, 0, 1);
static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
static struct k_thread thread;

static enum petite_status wait_inside(const void *params)
{
	ARG_UNUSED(params);
	k_sem_give(&inside);
	return k_sem_take(&go_on, K_SECONDS(10)) == 0 ? PETITE_OK : PETITE_ERR_KERNEL;
}

static const struct petite_step waiting_step = {wait_inside, NULL};

/* Waits inside a run of the model of state_recurrent, whose context it shares. */
static const struct petite_plan *waiting_method(void)
{
	static struct petite_plan plan;

	plan = state_recurrent_plan;
	plan.steps = &waiting_step;
	plan.step_count = 1;
	return &plan;
}

static void run_in_thread(void *plan, void *status, void *unused)
{
	ARG_UNUSED(unused);
	*(enum petite_status *)status = petite_run(plan);
}

ZTEST(executor, test_model_that_is_busy_in_another_thread)
{
	enum petite_status of_thread = PETITE_ERR_KERNEL;
	const struct golden_call *other = &methods_conv_and_float_golden.calls[0];
	uint8_t before[STATE_RECURRENT_OUTPUT0_BYTES];

	zassert_ok(petite_reset(&state_recurrent_plan));
	zassert_ok(golden_run(first, state_recurrent_plans));
	memcpy(before, state_recurrent_output0(), sizeof(before));

	k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), run_in_thread,
			(void *)waiting_method(), &of_thread, NULL, K_PRIO_PREEMPT(1), 0,
			K_NO_WAIT);
	zassert_ok(k_sem_take(&inside, K_SECONDS(10)));

	zassert_equal(petite_run(&state_recurrent_plan), PETITE_ERR_BUSY);
	zassert_equal(petite_reset(&state_recurrent_plan), PETITE_ERR_BUSY);
	zassert_mem_equal(before, state_recurrent_output0(), sizeof(before));
	/* Another model is not concerned. */
	zassert_ok(golden_run(other, methods_conv_and_float_plans));
	zassert_true(golden_outputs_right(other, methods_conv_and_float_plans));

	k_sem_give(&go_on);
	zassert_ok(k_thread_join(&thread, K_SECONDS(10)));
	zassert_ok(of_thread);
	golden_check(&state_recurrent_golden, state_recurrent_plans);
}

ZTEST(executor, test_methods_of_one_model_share_its_context)
{
	struct petite_context *shared = methods_conv_and_float_plans[0]->context;

	zassert_equal(shared, methods_conv_and_float_plans[1]->context);
	shared->busy = 1;
	zassert_equal(petite_run(methods_conv_and_float_plans[0]), PETITE_ERR_BUSY);
	zassert_equal(petite_run(methods_conv_and_float_plans[1]), PETITE_ERR_BUSY);
	shared->busy = 0;
	golden_check(&methods_conv_and_float_golden, methods_conv_and_float_plans);
}
