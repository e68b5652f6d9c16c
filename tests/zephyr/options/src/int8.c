/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose inputs and outputs are int8, which is all that it computes with. */
#include <zephyr/ztest.h>

#include "separable_block.h"
#include "separable_block_int8_golden.h"

ZTEST_SUITE(int8, NULL, NULL, NULL, NULL, NULL);

ZTEST(int8, test_outputs)
{
	zassert_equal(separable_block_plan.inputs[0].dtype, PETITE_S8);
	zassert_equal(separable_block_plan.outputs[0].dtype, PETITE_S8);
	golden_check(&separable_block_int8_golden, separable_block_plans);
}
