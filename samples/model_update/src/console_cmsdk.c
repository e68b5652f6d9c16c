/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The UART of Arm's CMSDK, as the emulated boards have it at UPDATE_UART_BASE, and milliseconds by
 * SysTick. Both only wake the core: interrupts stay masked, and pend until it has looked.
 */
#include "console.h"

struct uart {
	volatile uint32_t data;
	volatile uint32_t state;
	volatile uint32_t control;
	volatile uint32_t interrupts;
	volatile uint32_t divider;
};

#define UART ((struct uart *)UPDATE_UART_BASE)
#define STATE_SENDING (1u << 0)
#define STATE_RECEIVED (1u << 1)
#define CONTROL_SEND (1u << 0)
#define CONTROL_RECEIVE (1u << 1)
#define CONTROL_RECEIVE_INTERRUPT (1u << 3)
#define INTERRUPT_RECEIVED (1u << 1)

struct systick {
	volatile uint32_t control;
	volatile uint32_t reload;
	volatile uint32_t value;
};

#define SYSTICK ((struct systick *)0xe000e010u)
#define SYSTICK_ENABLE (1u << 0)
#define SYSTICK_INTERRUPT (1u << 1)
#define SYSTICK_CORE_CLOCK (1u << 2)
#define SYSTICK_WRAPPED (1u << 16)

#define NVIC_ENABLE ((volatile uint32_t *)0xe000e100u)
#define NVIC_CLEAR_PENDING ((volatile uint32_t *)0xe000e280u)
#define INTERRUPT_WORD (UPDATE_UART_INTERRUPT / 32)
#define INTERRUPT_BIT (1u << UPDATE_UART_INTERRUPT % 32)
#define ICSR (*(volatile uint32_t *)0xe000ed04u)
#define ICSR_CLEAR_SYSTICK (1u << 25)

#define BAUD 115200u

void update_console_open(void)
{
	__asm__ volatile("cpsid i" ::: "memory");
	UART->divider = UPDATE_CLOCK_HZ / BAUD;
	UART->control = CONTROL_SEND | CONTROL_RECEIVE | CONTROL_RECEIVE_INTERRUPT;
	NVIC_ENABLE[INTERRUPT_WORD] = INTERRUPT_BIT;
	/* Wraps every millisecond. */
	SYSTICK->reload = UPDATE_CLOCK_HZ / 1000u - 1u;
	SYSTICK->value = 0;
	SYSTICK->control = SYSTICK_ENABLE | SYSTICK_INTERRUPT | SYSTICK_CORE_CLOCK;
}

void update_console_put(uint8_t byte)
{
	while (UART->state & STATE_SENDING) {
	}
	UART->data = byte;
}

/** Sleep until something happens; if it has happened already, go on at once. */
static void sleep(void)
{
	__asm__ volatile("dsb\n\twfi" ::: "memory");
	UART->interrupts = INTERRUPT_RECEIVED;
	NVIC_CLEAR_PENDING[INTERRUPT_WORD] = INTERRUPT_BIT;
	ICSR = ICSR_CLEAR_SYSTICK;
}

int update_console_get(uint32_t timeout_ms)
{
	while (!(UART->state & STATE_RECEIVED)) {
		sleep();
		/* Reading it clears the mark. */
		if ((SYSTICK->control & SYSTICK_WRAPPED) && timeout_ms-- == 0) {
			return -1;
		}
	}
	return (int)(UART->data & 0xffu);
}
