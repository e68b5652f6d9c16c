/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage-guided: what libFuzzer makes of the corpus is loaded and, where accepted, run. */
#include <stddef.h>
#include <stdint.h>

#include "try_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= UINT32_MAX) {
		try_program(data, (uint32_t)size);
	}
	return 0;
}
