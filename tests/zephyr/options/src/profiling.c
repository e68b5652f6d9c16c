/* SPDX-License-Identifier: Apache-2.0 */
/* CONFIG_PETITE_PROFILING names the steps that petite_run_profiled() measures. */
#include <string.h>

#include <zephyr/ztest.h>

#include <petite/platform.h>

#include "separable_block.h"
#include "separable_block_int8_golden.h"

ZTEST_SUITE(profiling, NULL, NULL, NULL, NULL, NULL);

static uint32_t step_ticks[SEPARABLE_BLOCK_STEP_COUNT];

ZTEST(profiling, test_names_of_steps)
{
	static const char *const expected[] = {"depthwise_conv2d_s8_0", "conv2d_s8_1"};

	zassert_equal(ARRAY_SIZE(expected), SEPARABLE_BLOCK_STEP_COUNT);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		zassert_str_equal(separable_block_step_names[i], expected[i]);
	}
}

/* Counts its own calls, so that the ticks are known. */
static uint32_t counter;

static uint32_t count(void)
{
	return counter++;
}

ZTEST(profiling, test_each_step_is_measured)
{
	const struct golden_call *call = &separable_block_int8_golden.calls[0];

	memcpy(separable_block_input0(), call->inputs[0], SEPARABLE_BLOCK_INPUT0_BYTES);
	zassert_ok(petite_run_profiled(&separable_block_plan, count, step_ticks,
				       SEPARABLE_BLOCK_STEP_COUNT));
	zassert_true(golden_outputs_right(call, separable_block_plans));
	for (size_t i = 0; i < SEPARABLE_BLOCK_STEP_COUNT; i++) {
		zassert_equal(step_ticks[i], 1);
	}
	zassert_equal(petite_run_profiled(&separable_block_plan, count, step_ticks,
					  SEPARABLE_BLOCK_STEP_COUNT - 1),
		      PETITE_ERR_ARGUMENT);
}

/* In a process, time does not pass while code runs. */
#ifdef CONFIG_ARM
ZTEST(profiling, test_clock_of_the_platform)
{
	const uint32_t start = petite_platform_ticks();
	uint64_t sum = 0;
	uint32_t whole;

	zassert_ok(petite_run_profiled(&separable_block_plan, petite_platform_ticks, step_ticks,
				       SEPARABLE_BLOCK_STEP_COUNT));
	whole = petite_platform_ticks() - start;
	for (size_t i = 0; i < SEPARABLE_BLOCK_STEP_COUNT; i++) {
		zassert_true(step_ticks[i] > 0, "step %zu took no time", i);
		sum += step_ticks[i];
	}
	zassert_true(sum <= whole);
	zassert_equal(petite_platform_ticks_per_second(), sys_clock_hw_cycles_per_sec());
}
#endif
