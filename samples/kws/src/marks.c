/* SPDX-License-Identifier: Apache-2.0 */
/* In a file of their own, so that the compiler can neither inline them nor move code across. */
#include "marks.h"

void petite_mark_start(void)
{
	__asm__ volatile("" ::: "memory");
}

void petite_mark_stop(void)
{
	__asm__ volatile("" ::: "memory");
}
