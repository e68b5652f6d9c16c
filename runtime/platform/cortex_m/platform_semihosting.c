/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/platform.h>

#include "semihosting.h"

void petite_platform_write(const char *text)
{
	petite_semihosting_write_text(text);
}

uint32_t petite_platform_ticks(void)
{
	/* QEMU has no cycle counter on these cores: the host's clock is what there is. */
	return petite_semihosting_centiseconds();
}

uint32_t petite_platform_ticks_per_second(void)
{
	return 100U;
}

static void write_decimal(int32_t value)
{
	uint32_t left = value < 0 ? 0U - (uint32_t)value : (uint32_t)value;
	char text[] = "-2147483648";
	uint32_t at = sizeof(text) - 1U;

	do {
		text[--at] = (char)('0' + left % 10U);
		left /= 10U;
	} while (left != 0U);
	if (value < 0) {
		text[--at] = '-';
	}
	petite_semihosting_write_text(text + at);
}

void petite_platform_log(enum petite_log_level level, const char *text, const void *plan,
			 int32_t value)
{
	petite_semihosting_write_text(level == PETITE_LOG_ERROR ? "petite: error: plan "
								: "petite: debug: plan ");
	petite_semihosting_write_hex((uint32_t)plan);
	petite_semihosting_write_text(": ");
	petite_semihosting_write_text(text);
	petite_semihosting_write_text(" ");
	write_decimal(value);
	petite_semihosting_write_text("\n");
}
