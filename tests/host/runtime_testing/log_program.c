/* SPDX-License-Identifier: Apache-2.0 */
/* Built with a runtime that has PETITE_LOG, and is itself the port that takes the messages. */
#include <stdbool.h>

#include <petite/executor.h>
#include <petite/platform.h>
#include <petite/profile.h>

#include "check.h"
#include "model.h"

#define MOST 16

struct message {
	enum petite_log_level level;
	const char *text;
	const void *plan;
	int32_t value;
};

static struct message messages[MOST];
static uint32_t count;

void petite_platform_log(enum petite_log_level level, const char *text, const void *about,
			 int32_t value)
{
	CHECK(count < MOST);
	messages[count++] = (struct message){level, text, about, value};
}

static bool said(uint32_t index, enum petite_log_level level, const char *text, int32_t value)
{
	const struct message *message = &messages[index];

	return index < count && message->level == level && message->value == value &&
	       message->plan == &plan && strstr(message->text, text) != NULL;
}

static void run_again(void)
{
	petite_run(&plan);
}

TEST(a_run_says_start_and_end)
{
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(count == 2);
	CHECK(said(0, PETITE_LOG_DEBUG, "starts, steps", STEPS));
	CHECK(said(1, PETITE_LOG_DEBUG, "ends, status", PETITE_OK));
}

TEST(a_profiled_run_says_the_same)
{
	uint32_t ticks[STEPS];

	CHECK(petite_run_profiled(&plan, read_clock, ticks, STEPS) == PETITE_OK);
	CHECK(count == 2);
	CHECK(said(0, PETITE_LOG_DEBUG, "starts, steps", STEPS));
	CHECK(said(1, PETITE_LOG_DEBUG, "ends, status", PETITE_OK));
}

TEST(a_failure_names_its_step_and_status)
{
	actions[1].status = PETITE_ERR_KERNEL;
	CHECK(petite_run(&plan) == PETITE_ERR_KERNEL);
	CHECK(count == 4);
	CHECK(said(1, PETITE_LOG_ERROR, "failed in step", 1));
	CHECK(said(2, PETITE_LOG_ERROR, "failed with status", PETITE_ERR_KERNEL));
	CHECK(said(3, PETITE_LOG_DEBUG, "ends, status", PETITE_ERR_KERNEL));
}

TEST(a_busy_model_is_named)
{
	actions[2].call = run_again;
	CHECK(petite_run(&plan) == PETITE_OK);
	CHECK(count == 3);
	CHECK(said(1, PETITE_LOG_ERROR, "in its arena already, status", PETITE_ERR_BUSY));
}

TEST(another_version_is_named)
{
	struct petite_plan other = plan;

	other.abi = PETITE_ABI + 6;
	CHECK(petite_reset(&other) == PETITE_ERR_VERSION);
	CHECK(count == 1 && messages[0].level == PETITE_LOG_ERROR);
	CHECK(messages[0].plan == &other && messages[0].value == PETITE_ABI + 6);
	CHECK(strstr(messages[0].text, "another runtime, with PETITE_ABI") != NULL);
}

TEST(wrong_arguments_are_named)
{
	uint32_t ticks[STEPS];

	CHECK(petite_run(NULL) == PETITE_ERR_ARGUMENT);
	CHECK(count == 1 && messages[0].plan == NULL && messages[0].level == PETITE_LOG_ERROR);
	CHECK(messages[0].value == PETITE_ERR_ARGUMENT);
	CHECK(petite_run_profiled(&plan, read_clock, ticks, 2) == PETITE_ERR_ARGUMENT);
	CHECK(count == 2 && said(1, PETITE_LOG_ERROR, "too few steps, capacity", 2));
}

TESTS(ENTRY(a_run_says_start_and_end), ENTRY(a_profiled_run_says_the_same),
      ENTRY(a_failure_names_its_step_and_status), ENTRY(a_busy_model_is_named),
      ENTRY(another_version_is_named), ENTRY(wrong_arguments_are_named))
