/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a model with a branch once with a true and once with a false condition, with a clock that
 * counts its readings, and prints each step's name and ticks: 1 where it ran.
 */
#include <petite/petite.h>
#include <stdio.h>

#include "choice.h"

static uint32_t readings;

static uint32_t count_readings(void)
{
	return readings++;
}

int main(void)
{
	uint32_t ticks[CHOICE_STEP_COUNT];

	for (int condition = 1; condition >= 0; condition--) {
		*choice_input0() = (uint8_t)condition;
		for (int i = 0; i < CHOICE_INPUT1_COUNT; i++) {
			choice_input1()[i] = 5.0f;
		}
		if (petite_run_profiled(&choice_plan, count_readings, ticks, CHOICE_STEP_COUNT) !=
		    PETITE_OK) {
			return 1;
		}
		for (int i = 0; i < CHOICE_STEP_COUNT; i++) {
			printf("%s %u\n", choice_step_names[i], (unsigned int)ticks[i]);
		}
		printf("result %d\n", (int)choice_output0()[0]);
	}
	return 0;
}
