/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From reset to main() on any Cortex-M, for firmware that runs under an emulator.
 */
#include <stdint.h>
#include <string.h>

#include "fault.h"
#include "semihosting.h"

#define CPACR (*(volatile uint32_t *)0xe000ed88U)
#define CPACR_CP10_CP11_FULL (0xfU << 20)

#define MPU_CTRL (*(volatile uint32_t *)0xe000ed94U)
#define MPU_RNR (*(volatile uint32_t *)0xe000ed98U)
#define MPU_RBAR (*(volatile uint32_t *)0xe000ed9cU)
#define MPU_RASR (*(volatile uint32_t *)0xe000eda0U)
#define MPU_CTRL_ENABLE (1U << 0)
#define MPU_CTRL_DEFAULT_MAP (1U << 2)
#define MPU_RASR_ENABLE (1U << 0)
#define MPU_RASR_64_KIB (15U << 1)
#define MPU_RASR_NO_ACCESS (1U << 28)
#define GUARD_BYTES 0x10000U

/* An entry of the linker script's list of what is copied to RAM before main(). */
struct copy {
	uint8_t *to;
	const uint8_t *from;
	uint32_t size;
};

/* Defined by link/sections.ld. */
extern const struct copy __petite_copies_start[];
extern const struct copy __petite_copies_end[];
extern uint32_t __petite_stack_start[];
extern uint32_t __petite_stack_end[];
extern uint8_t __petite_data_start[];
extern uint8_t __petite_data_end[];
extern const uint8_t __petite_data_image[];
extern uint8_t __petite_bss_start[];
extern uint8_t __petite_bss_end[];
extern uint8_t __petite_arena_start[];
extern uint8_t __petite_arena_end[];

int main(void);
_Noreturn void petite_reset_handler(void);

/* The floating-point and vector registers trap until they are granted. */
static void enable_vector_registers(void)
{
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
	CPACR |= CPACR_CP10_CP11_FULL;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

/*
 * An overflow must fault instead of overwriting. Armv8-M watches its stack pointer; on Armv7-M the
 * MPU forbids what lies below the stack, also where the machine would ignore writes to it. Armv6-M
 * has neither: there the memory map has to end at the stack.
 */
static void limit_stack(void)
{
#if __ARM_ARCH >= 8
	__asm__ volatile("msr msplim, %0" ::"r"(__petite_stack_start));
#elif __ARM_ARCH == 7
	MPU_RNR = 0;
	MPU_RBAR = (uint32_t)__petite_stack_start - GUARD_BYTES;
	MPU_RASR = MPU_RASR_NO_ACCESS | MPU_RASR_64_KIB | MPU_RASR_ENABLE;
	MPU_CTRL = MPU_CTRL_DEFAULT_MAP | MPU_CTRL_ENABLE;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

void petite_reset_handler(void)
{
	limit_stack();
	enable_vector_registers();
	memcpy(__petite_data_start, __petite_data_image,
	       (size_t)(__petite_data_end - __petite_data_start));
	for (const struct copy *copy = __petite_copies_start; copy < __petite_copies_end; copy++) {
		memcpy(copy->to, copy->from, copy->size);
	}
	memset(__petite_bss_start, 0, (size_t)(__petite_bss_end - __petite_bss_start));
	memset(__petite_arena_start, 0, (size_t)(__petite_arena_end - __petite_arena_start));
	petite_semihosting_exit((uint32_t)main());
}

struct vector_table {
	uint32_t *stack;
	void (*handlers[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vector_table vectors = {
	.stack = __petite_stack_end,
	.handlers =
		{
			petite_reset_handler,
			petite_fault_handler, /* NMI */
			petite_fault_handler, /* HardFault */
			petite_fault_handler, /* MemManage */
			petite_fault_handler, /* BusFault */
			petite_fault_handler, /* UsageFault */
			petite_fault_handler, /* SecureFault */
			petite_fault_handler,
			petite_fault_handler,
			petite_fault_handler,
			petite_fault_handler, /* SVCall */
			petite_fault_handler, /* DebugMonitor */
			petite_fault_handler,
			petite_fault_handler, /* PendSV */
			petite_fault_handler, /* SysTick */
		},
};
