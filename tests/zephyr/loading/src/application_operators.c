/* SPDX-License-Identifier: Apache-2.0 */
/* A loaded program that calls an operator which only the application has. */
#include <zephyr/ztest.h>

#include <petite/loader.h>
#include <petite/petite.h>

#include "petite_operators.h"
#include "programs.h"

#define OPERATOR "aten::erfinv.out"
#define LEVEL 100.0f

PETITE_REGISTRY(registry, PETITE_REGISTRY_SIZE);

static uint8_t structures[512] __aligned(PETITE_LOAD_ALIGNMENT);
static uint8_t arena[512] __aligned(PETITE_LOAD_ALIGNMENT);

static enum petite_status inverse(const struct petite_operator_call *call)
{
	const struct petite_tensor *output = &call->outputs[0];
	float *data = output->data;

	for (int32_t i = 0; i < output->dims[0] * output->dims[1]; i++) {
		data[i] = LEVEL;
	}
	return PETITE_OK;
}

ZTEST_SUITE(application_operators, NULL, NULL, NULL, NULL, NULL);

ZTEST(application_operators, test_from_missing_to_run)
{
	const struct petite_program program = {erfinv.data, erfinv.size, NULL, &petite_operators,
					       &registry};
	const struct petite_load_memory memory = {structures, sizeof(structures), arena,
						  sizeof(arena)};
	const struct petite_plan *plan;
	struct petite_load_fault fault;
	const float *output;

	zassert_equal(petite_load(&program, &memory, &plan, &fault), PETITE_ERR_NOT_REGISTERED);
	zassert_str_equal(fault.operator_name, "aten::erfinv");

	zassert_ok(petite_register(&registry, OPERATOR, inverse));
	zassert_equal(petite_register(&registry, OPERATOR, inverse), PETITE_ERR_DUPLICATE);
	zassert_equal(petite_register(&registry, "another", inverse), PETITE_ERR_FULL);
	zassert_ok(petite_load(&program, &memory, &plan, &fault));
	zassert_ok(petite_run(plan));
	output = plan->outputs[0].data;
	for (size_t i = 0; i < plan->outputs[0].size / sizeof(float); i++) {
		zassert_equal(output[i], LEVEL);
	}
}
