/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input and output. Ends with the other end. */
#include "console.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

void update_console_open(void)
{
}

void update_console_put(uint8_t byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1) {
		exit(1);
	}
}

int update_console_get(uint32_t timeout_ms)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	uint8_t byte;

	if (poll(&input, 1, (int)timeout_ms) == 0) {
		return -1;
	}
	if (read(STDIN_FILENO, &byte, 1) != 1) {
		exit(0);
	}
	return byte;
}
