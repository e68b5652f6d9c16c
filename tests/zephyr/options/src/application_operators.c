/* SPDX-License-Identifier: Apache-2.0 */
/* An operator that only the application has: the inverse of erf, which here gives a constant. */
#include <zephyr/ztest.h>

#include "erfinv.h"

/* As large as CONFIG_PETITE_KERNEL_REGISTRY_SIZE. */
PETITE_REGISTRY(registry, PETITE_REGISTRY_SIZE);

#define OPERATOR "aten::erfinv.out"
#define LEVEL 100.0f

static int calls;

static enum petite_status inverse(const struct petite_operator_call *call)
{
	const struct petite_tensor *output = &call->outputs[0];
	float *data = output->data;

	calls++;
	if (call->argument_count != 1 || call->output_count != 1 ||
	    call->arguments[0].kind != PETITE_ARGUMENT_TENSOR || output->rank != 2 ||
	    output->dtype != PETITE_F32) {
		return PETITE_ERR_OPERATOR;
	}
	for (int32_t i = 0; i < output->dims[0] * output->dims[1]; i++) {
		data[i] = LEVEL;
	}
	return PETITE_OK;
}

static enum petite_status fail(const struct petite_operator_call *call)
{
	ARG_UNUSED(call);
	return PETITE_ERR_OPERATOR;
}

ZTEST_SUITE(application_operators, NULL, NULL, NULL, NULL, NULL);

/* One test: a model that is bound cannot be unbound, so the order matters. */
ZTEST(application_operators, test_from_unbound_to_failed)
{
	const char *missing = NULL;

	zassert_equal(ARRAY_SIZE(registry_entries), CONFIG_PETITE_KERNEL_REGISTRY_SIZE);
	zassert_equal(petite_run(&erfinv_plan), PETITE_ERR_NOT_BOUND);
	zassert_equal(petite_bind(&erfinv_operators, &registry, &missing),
		      PETITE_ERR_NOT_REGISTERED);
	zassert_str_equal(missing, OPERATOR);
	zassert_equal(petite_run(&erfinv_plan), PETITE_ERR_NOT_BOUND);

	zassert_ok(petite_register(&registry, OPERATOR, inverse));
	zassert_equal(petite_register(&registry, OPERATOR, fail), PETITE_ERR_DUPLICATE);
	zassert_equal(petite_register(&registry, "another", fail), PETITE_ERR_FULL);
	zassert_ok(petite_bind(&erfinv_operators, &registry, &missing));
	zassert_is_null(missing);

	for (size_t i = 0; i < ERFINV_INPUT0_COUNT; i++) {
		erfinv_input0()[i] = (float)i;
	}
	zassert_ok(petite_run(&erfinv_plan));
	zassert_equal(calls, 1);
	for (size_t i = 0; i < ERFINV_OUTPUT0_COUNT; i++) {
		zassert_equal(erfinv_output0()[i], LEVEL);
	}

	registry_entries[0].function = fail;
	zassert_ok(petite_bind(&erfinv_operators, &registry, NULL));
	zassert_equal(petite_run(&erfinv_plan), PETITE_ERR_OPERATOR);
}
