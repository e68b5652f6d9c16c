/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <petite/platform.h>

void petite_platform_write(const char *text)
{
	fputs(text, stderr);
}

uint32_t petite_platform_ticks(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (uint32_t)((uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U);
}

uint32_t petite_platform_ticks_per_second(void)
{
	return 1000000U;
}

void petite_platform_log(enum petite_log_level level, const char *text, const void *plan,
			 int32_t value)
{
	const char *name = level == PETITE_LOG_ERROR ? "error" : "debug";

	fprintf(stderr, "petite: %s: plan %p: %s %" PRId32 "\n", name, plan, text, value);
}
