/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the model of a flash partition, and takes another one over the console. */
#include "console.h"
#include "protocol.h"

int main(void)
{
	update_console_open();
	update_start();
	for (;;) {
		update_serve();
	}
}
