/* SPDX-License-Identifier: Apache-2.0 */
/* Models of the conformance suite, all in one image, give the bits of ExecuTorch's reference. */
#include <zephyr/ztest.h>

#include "attention.h"
#include "attention_golden.h"
#include "methods_conv_and_float.h"
#include "methods_conv_and_float_golden.h"
#include "residual_downsample.h"
#include "residual_downsample_golden.h"
#include "separable_block.h"
#include "separable_block_golden.h"
#include "squeeze_excite.h"
#include "squeeze_excite_golden.h"
#include "state_recurrent.h"
#include "state_recurrent_golden.h"
#include "two_inputs.h"
#include "two_inputs_golden.h"

ZTEST_SUITE(models, NULL, NULL, NULL, NULL, NULL);

ZTEST(models, test_attention)
{
	golden_check(&attention_golden, attention_plans);
}

ZTEST(models, test_methods_conv_and_float)
{
	zassert_equal(methods_conv_and_float_plan_count, 2);
	golden_check(&methods_conv_and_float_golden, methods_conv_and_float_plans);
}

ZTEST(models, test_residual_downsample)
{
	golden_check(&residual_downsample_golden, residual_downsample_plans);
}

ZTEST(models, test_separable_block)
{
	golden_check(&separable_block_golden, separable_block_plans);
}

ZTEST(models, test_squeeze_excite)
{
	golden_check(&squeeze_excite_golden, squeeze_excite_plans);
}

ZTEST(models, test_state_recurrent)
{
	golden_check(&state_recurrent_golden, state_recurrent_plans);
}

ZTEST(models, test_two_inputs)
{
	golden_check(&two_inputs_golden, two_inputs_plans);
}

/* Models share nothing: a run of one leaves the outputs of another alone. */
ZTEST(models, test_runs_of_two_models_interleaved)
{
	const struct golden_call *first = &attention_golden.calls[0];
	const struct golden_call *second = &two_inputs_golden.calls[0];

	zassert_ok(golden_run(first, attention_plans));
	zassert_ok(golden_run(second, two_inputs_plans));
	zassert_true(golden_outputs_right(first, attention_plans));
	zassert_true(golden_outputs_right(second, two_inputs_plans));
}
