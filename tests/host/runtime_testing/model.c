/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <stddef.h>

struct action actions[STEPS];
uint32_t now;
uint32_t readings;
uint32_t ran;
uint32_t ran_steps;
uint8_t states[2][2] = {{77, 77}, {77, 77}};
struct petite_context context;

uint32_t read_clock(void)
{
	readings++;
	return now;
}

static enum petite_status act(const void *params)
{
	const struct action *action = params;

	ran++;
	ran_steps |= 1U << (action - actions);
	now += action->ticks;
	states[0][0]++;
	states[1][0]++;
	if (action->call != NULL) {
		action->call();
	}
	return action->skip > 0 ? (enum petite_status)action->skip : action->status;
}

static const struct petite_step steps[STEPS] = {
	{act, &actions[0]}, {act, &actions[1]}, {act, &actions[2]}};
static const uint8_t initial[] = {1, 2};
static const struct petite_state plan_states[] = {{states[0], initial, 2}, {states[1], NULL, 2}};

const struct petite_plan plan = {
	.abi = PETITE_ABI,
	.step_count = STEPS,
	.state_count = 2,
	.steps = steps,
	.states = plan_states,
	.context = &context,
	.busy = &context.busy,
};
