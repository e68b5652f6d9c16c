/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"

#include <stdint.h>

#include "semihosting.h"

#define CFSR (*(volatile uint32_t *)0xe000ed28U)
#define MMFAR (*(volatile uint32_t *)0xe000ed34U)
#define BFAR (*(volatile uint32_t *)0xe000ed38U)
#define CFSR_MMARVALID (1U << 7)
#define CFSR_BFARVALID (1U << 15)
#define CFSR_STKOF (1U << 20)

/* Words of the frame that the core pushes when it takes an exception. */
#define FRAME_WORDS 8U
#define FRAME_PC 6U

/* Defined by link/sections.ld. */
extern uint32_t __petite_stack_start[];
extern uint32_t __petite_stack_end[];

static void write_hex(const char *label, uint32_t value)
{
	petite_semihosting_write_text(label);
	petite_semihosting_write_hex(value);
}

/* Cortex-M0 has none of the registers that say why. */
static void write_cause(void)
{
#if __ARM_ARCH_ISA_THUMB >= 2
	const uint32_t status = CFSR;

	write_hex(", CFSR ", status);
	if (status & CFSR_BFARVALID) {
		write_hex(", address ", BFAR);
	} else if (status & CFSR_MMARVALID) {
		write_hex(", address ", MMFAR);
	}
#if __ARM_ARCH >= 8
	if (status & CFSR_STKOF) {
		petite_semihosting_write_text(", stack overflow");
	}
#endif
#endif
}

__attribute__((used)) static void report(const uint32_t *frame)
{
	/* After an overflow the stack pointer is outside of the stack: no frame can be read. */
	if (frame < __petite_stack_start || frame + FRAME_WORDS > __petite_stack_end) {
		write_hex("petite: fault with stack pointer ", (uint32_t)frame);
	} else {
		write_hex("petite: fault at pc ", frame[FRAME_PC]);
	}
	write_cause();
	petite_semihosting_write_text("\n");
	petite_semihosting_exit(PETITE_FAULT_STATUS);
}

/* Moves to a fresh stack first: the old one may be what broke. */
__attribute__((naked)) void petite_fault_handler(void)
{
	__asm__ volatile("mrs r0, msp\n\t"
			 "ldr r1, =__petite_stack_end\n\t"
			 "mov sp, r1\n\t"
			 "bl %c0\n\t"
			 ".ltorg"
			 :
			 : "i"(report));
}
