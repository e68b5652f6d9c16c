/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#define PAINT 0xc5a5e535U

/* Defined by link/sections.ld. */
extern uint32_t __petite_stack_start[];

void petite_stack_paint(void)
{
	/* This function's own frame lies below its caller's, so nothing that lives is painted. */
	const uint32_t end = petite_stack_pointer();

	/* volatile, or the compiler would call memset and have its frame painted. */
	for (volatile uint32_t *word = __petite_stack_start; (uint32_t)word < end; word++) {
		*word = PAINT;
	}
}

uint32_t petite_stack_used(uint32_t from)
{
	const uint32_t *word = __petite_stack_start;

	while ((uint32_t)word < from && *word == PAINT) {
		word++;
	}
	return from - (uint32_t)word;
}

int petite_stack_exhausted(void)
{
	return *__petite_stack_start != PAINT;
}
