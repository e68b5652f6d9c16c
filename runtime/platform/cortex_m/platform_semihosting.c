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
