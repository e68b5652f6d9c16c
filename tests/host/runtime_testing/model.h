/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan made by hand: three steps, two states, and a clock that only the steps move.
 */
#ifndef RUNTIME_TESTING_MODEL_H
#define RUNTIME_TESTING_MODEL_H

#include <stdint.h>

#include <petite/plan.h>

#define STEPS 3

/** What a step of the model does when it runs. */
struct action {
	/** Ticks that it takes. */
	uint32_t ticks;
	enum petite_status status;
	/** Steps to skip, instead of the status; 0 for none. */
	int32_t skip;
	/** Called in the step, or NULL. */
	void (*call)(void);
};

/** What the steps do; tests set it. */
extern struct action actions[STEPS];
/** The time, which the steps move. */
extern uint32_t now;
/** How often the clock was read. */
extern uint32_t readings;
/** How many steps ran. */
extern uint32_t ran;
/** Which steps ran: bit n for step n. */
extern uint32_t ran_steps;
/** The states: one starts as {1, 2}, one as zeros. Every step adds 1 to the first byte of each. */
extern uint8_t states[2][2];
extern struct petite_context context;
extern const struct petite_plan plan;

uint32_t read_clock(void);

#endif /* RUNTIME_TESTING_MODEL_H */
