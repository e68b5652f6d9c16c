/* SPDX-License-Identifier: Apache-2.0 */
/* CONFIG_PETITE_LOG reports through Zephyr's log what the status codes say, and each run. */
#include <string.h>

#include <zephyr/logging/log_backend.h>
#include <zephyr/logging/log_msg.h>
#include <zephyr/logging/log_output.h>
#include <zephyr/ztest.h>

#include "separable_block.h"

/* --- a backend that keeps the text ------------------------------------------------------------ */

static char text[512];
static size_t length;

static int keep(uint8_t *data, size_t size, void *unused)
{
	ARG_UNUSED(unused);
	for (size_t i = 0; i < size && length < sizeof(text) - 1; i++) {
		text[length++] = (char)data[i];
	}
	return (int)size;
}

static uint8_t buffer[16];
LOG_OUTPUT_DEFINE(output, keep, buffer, sizeof(buffer));

static void process(const struct log_backend *const backend, union log_msg_generic *message)
{
	ARG_UNUSED(backend);
	log_format_func_t_get(LOG_OUTPUT_TEXT)(&output, &message->log, LOG_OUTPUT_FLAG_LEVEL);
}

/* Nothing is buffered: it can go on as it is. */
static void panic(const struct log_backend *const backend)
{
	ARG_UNUSED(backend);
}

static const struct log_backend_api api = {.process = process, .panic = panic};
LOG_BACKEND_DEFINE(keeper, api, true);

static void forget(void *unused)
{
	ARG_UNUSED(unused);
	memset(text, 0, sizeof(text));
	length = 0;
}

/* --- what it keeps ---------------------------------------------------------------------------- */

ZTEST_SUITE(log, NULL, NULL, forget, NULL, NULL);

static void assert_reported(const char *line)
{
	zassert_not_null(strstr(text, line), "'%s' is not in '%s'", line, text);
}

ZTEST(log, test_refused_run)
{
	struct petite_plan other = separable_block_plan;

	other.abi = PETITE_ABI + 1;
	zassert_equal(petite_run(&other), PETITE_ERR_VERSION);
	assert_reported("<err> petite: plan 0x");
	assert_reported("compiled for another runtime, with PETITE_ABI");
}

static enum petite_status refuse(const void *params)
{
	ARG_UNUSED(params);
	return PETITE_ERR_KERNEL;
}

ZTEST(log, test_failed_step)
{
	const struct petite_step steps[] = {separable_block_plan.steps[0], {refuse, NULL}};
	struct petite_plan plan = separable_block_plan;

	plan.steps = steps;
	plan.step_count = ARRAY_SIZE(steps);
	zassert_equal(petite_run(&plan), PETITE_ERR_KERNEL);
	assert_reported("failed in step 1");
	assert_reported("failed with status -4");
}

ZTEST(log, test_start_and_end_of_a_run)
{
	zassert_ok(petite_run(&separable_block_plan));
	assert_reported("<dbg> petite: ");
	assert_reported("starts, steps 2");
	assert_reported("ends, status 0");
	zassert_is_null(strstr(text, "<err>"));
}
