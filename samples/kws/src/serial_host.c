/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input and standard error, where platform_host.c prints. Ends with the other end. */
#include "serial.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

void kws_serial_put(uint8_t byte)
{
	if (write(STDERR_FILENO, &byte, 1) != 1) {
		exit(1);
	}
}

int kws_serial_get(void)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	uint8_t byte;

	if (poll(&input, 1, KWS_SERIAL_TIMEOUT_MS) == 0) {
		return -1;
	}
	if (read(STDIN_FILENO, &byte, 1) != 1) {
		exit(0);
	}
	return byte;
}
