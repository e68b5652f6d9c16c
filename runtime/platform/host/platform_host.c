/* SPDX-License-Identifier: Apache-2.0 */
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
