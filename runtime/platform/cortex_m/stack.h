/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief How deep the stack grew: paint what is free, run, look for the lowest paint that is gone.
 */
#ifndef PETITE_STACK_H
#define PETITE_STACK_H

#include <stdint.h>

/** The stack pointer of the function that asks. */
static inline uint32_t petite_stack_pointer(void)
{
	uint32_t pointer;

	__asm__ volatile("mov %0, sp" : "=r"(pointer));
	return pointer;
}

/** Paint the stack below the caller. */
void petite_stack_paint(void);

/**
 * @brief Bytes of stack used below @p from since petite_stack_paint().
 *
 * Counts from @p from (see petite_stack_pointer()) down to the lowest word whose paint is gone. A
 * function that reserves stack and never writes to it is not seen.
 */
uint32_t petite_stack_used(uint32_t from);

/** Nonzero where the stack was used to its last word, so that it may be too small. */
int petite_stack_exhausted(void);

#endif /* PETITE_STACK_H */
