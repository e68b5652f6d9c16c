/* SPDX-License-Identifier: Apache-2.0 */
/* Two models in one arena, which run in turn. */
#include <stdio.h>

#include <petite/petite.h>

#include "sums.h"
#include "table.h"
#include "together_arena.h"

/* sums: adds what it is given to what it was given before. */
static int add(float value)
{
	enum petite_status status;

	for (int i = 0; i < SUMS_INPUT0_COUNT; i++) {
		sums_input0()[i] = value * (float)(i + 1);
	}
	status = petite_run(&sums_plan);
	printf("sums %d %g %g\n", status, (double)sums_output0()[0], (double)sums_output0()[1]);
	return status;
}

/* table: a look-up. */
static int look_up(int8_t value)
{
	enum petite_status status;

	for (int i = 0; i < TABLE_INPUT0_COUNT; i++) {
		table_input0()[i] = value;
	}
	status = petite_run(&table_plan);
	printf("table %d %d\n", status, table_output0()[TABLE_OUTPUT0_COUNT - 1]);
	return status;
}

int main(void)
{
	add(1.5f);
	look_up(-128);
	add(2.0f);
	look_up(127);
	petite_reset(&sums_plan);
	add(0.25f);
	/* While one model runs, nobody does in that arena. */
	together_arena_busy = 1;
	printf("refused %d %d\n", petite_run(&table_plan), petite_run(&sums_plan));
	together_arena_busy = 0;
	add(1.0f);
	printf("bytes %u\n", (unsigned int)sizeof(together_arena));
	return 0;
}
