/* SPDX-License-Identifier: Apache-2.0 */
/* Reads instructions as hexadecimal halfwords, one on a line; writes class and transfers of each.
 */
#include <stdio.h>

#include "instruction_class.h"

int main(void)
{
	unsigned int first, second;

	while (scanf("%x %x", &first, &second) == 2) {
		const struct instruction found = classify(first, second);

		printf("%d %u\n", (int)found.class, (unsigned int)found.transfers);
	}
	return 0;
}
