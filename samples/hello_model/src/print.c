/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <petite/platform.h>

/** The digits of a number, zeros in front where it has fewer than @p least. */
static void print_digits(uint32_t number, uint32_t least)
{
	char digits[11] = "";
	uint32_t first = sizeof(digits) - 1;

	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0 || first + least > sizeof(digits) - 1);
	petite_platform_write(digits + first);
}

void print_integer(int32_t number)
{
	if (number < 0) {
		petite_platform_write("-");
	}
	print_digits(number < 0 ? 0 - (uint32_t)number : (uint32_t)number, 1);
}

void print_decimal(float number)
{
	uint32_t thousandths = (uint32_t)((number < 0 ? -number : number) * 1000.0f + 0.5f);

	if (number < 0 && thousandths > 0) {
		petite_platform_write("-");
	}
	print_digits(thousandths / 1000, 1);
	petite_platform_write(".");
	print_digits(thousandths % 1000, 3);
}
