/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The port to copy. Replace each body; there is nothing else to provide.
 */
#include <petite/platform.h>

void petite_platform_write(const char *text)
{
	/* Send each character before the zero byte to a UART or a log. Doing nothing is fine. */
	(void)text;
}

uint32_t petite_platform_ticks(void)
{
	/* On Cortex-M3 and later: the cycle counter DWT->CYCCNT, once it is enabled. */
	return 0;
}

uint32_t petite_platform_ticks_per_second(void)
{
	/* For the cycle counter: the core's clock in hertz. */
	return 1;
}

void petite_platform_log(enum petite_log_level level, const char *text, const void *plan,
			 int32_t value)
{
	/* Only a runtime compiled with PETITE_LOG calls it. Doing nothing is fine. */
	(void)level;
	(void)text;
	(void)plan;
	(void)value;
}
