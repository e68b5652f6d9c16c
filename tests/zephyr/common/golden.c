/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <zephyr/ztest.h>

#include <petite/petite.h>

#include "golden.h"

enum petite_status golden_run(const struct golden_call *call,
			      const struct petite_plan *const *plans)
{
	const struct petite_plan *plan = plans[call->method];

	for (uint32_t i = 0; i < plan->input_count; i++) {
		memcpy(plan->inputs[i].data, call->inputs[i], plan->inputs[i].size);
	}
	return petite_run(plan);
}

bool golden_outputs_right(const struct golden_call *call, const struct petite_plan *const *plans)
{
	const struct petite_plan *plan = plans[call->method];

	for (uint32_t i = 0; i < plan->output_count; i++) {
		if (memcmp(plan->outputs[i].data, call->outputs[i], plan->outputs[i].size) != 0) {
			return false;
		}
	}
	return true;
}

void golden_check(const struct golden *golden, const struct petite_plan *const *plans)
{
	zassert_true(golden->count > 0);
	zassert_ok(petite_reset(plans[golden->calls[0].method]));
	for (size_t i = 0; i < golden->count; i++) {
		const struct golden_call *call = &golden->calls[i];

		if (!golden->sequence) {
			zassert_ok(petite_reset(plans[call->method]));
		}
		zassert_ok(golden_run(call, plans));
		zassert_true(golden_outputs_right(call, plans), "outputs of call %zu are wrong", i);
	}
}
