/* SPDX-License-Identifier: Apache-2.0 */
/* An operator that only the application has: layer normalisation, which here gives a constant. */
#include <zephyr/ztest.h>

#include "layer_norm.h"

/* As large as CONFIG_PETITE_KERNEL_REGISTRY_SIZE. */
PETITE_REGISTRY(registry, PETITE_REGISTRY_SIZE);

#define OPERATOR "aten::native_layer_norm.out"
/* Beyond what the quantisation that follows can hold: every output is then its largest. */
#define LEVEL 100.0f

static int calls;

static enum petite_status normalise(const struct petite_operator_call *call)
{
	const struct petite_tensor *output = &call->outputs[0];
	float *data = output->data;

	calls++;
	if (call->argument_count != 5 || call->output_count != 3 ||
	    call->arguments[0].kind != PETITE_ARGUMENT_TENSOR ||
	    call->arguments[4].kind != PETITE_ARGUMENT_REAL || output->rank != 2 ||
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
	zassert_equal(petite_run(&layer_norm_plan), PETITE_ERR_NOT_BOUND);
	zassert_equal(petite_bind(&layer_norm_operators, &registry, &missing),
		      PETITE_ERR_NOT_REGISTERED);
	zassert_str_equal(missing, OPERATOR);
	zassert_equal(petite_run(&layer_norm_plan), PETITE_ERR_NOT_BOUND);

	zassert_ok(petite_register(&registry, OPERATOR, normalise));
	zassert_equal(petite_register(&registry, OPERATOR, fail), PETITE_ERR_DUPLICATE);
	zassert_equal(petite_register(&registry, "another", fail), PETITE_ERR_FULL);
	zassert_ok(petite_bind(&layer_norm_operators, &registry, &missing));
	zassert_is_null(missing);

	for (size_t i = 0; i < LAYER_NORM_INPUT0_COUNT; i++) {
		layer_norm_input0()[i] = (float)i;
	}
	zassert_ok(petite_run(&layer_norm_plan));
	zassert_equal(calls, 1);
	for (size_t i = 0; i < LAYER_NORM_OUTPUT0_COUNT; i++) {
		zassert_true(layer_norm_output0()[i] > 1.0f);
		zassert_equal(layer_norm_output0()[i], layer_norm_output0()[0]);
	}

	registry_entries[0].function = fail;
	zassert_ok(petite_bind(&layer_norm_operators, &registry, NULL));
	zassert_equal(petite_run(&layer_norm_plan), PETITE_ERR_OPERATOR);
}
