/* SPDX-License-Identifier: Apache-2.0 */
/* The port to Zephyr: console, clock, log. */
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>
#include <zephyr/sys/printk.h>

#include <petite/platform.h>

#ifdef CONFIG_PETITE_LOG
LOG_MODULE_REGISTER(petite, CONFIG_PETITE_LOG_LEVEL);
#endif

void petite_platform_write(const char *text)
{
	printk("%s", text);
}

uint32_t petite_platform_ticks(void)
{
	return k_cycle_get_32();
}

uint32_t petite_platform_ticks_per_second(void)
{
	return sys_clock_hw_cycles_per_sec();
}

void petite_platform_log(enum petite_log_level level, const char *text, const void *plan,
			 int32_t value)
{
#ifdef CONFIG_PETITE_LOG
	if (level == PETITE_LOG_ERROR) {
		LOG_ERR("plan %p: %s %d", plan, text, value);
	} else {
		LOG_DBG("plan %p: %s %d", plan, text, value);
	}
#else
	ARG_UNUSED(level);
	ARG_UNUSED(text);
	ARG_UNUSED(plan);
	ARG_UNUSED(value);
#endif
}
