/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose placement says nothing: constants in flash, activations in the system's RAM. */
#include "common.h"

#include "separable_block.h"
#include "separable_block_golden.h"
#include "state_recurrent.h"
#include "state_recurrent_golden.h"

ZTEST_SUITE(placement_by_default, NULL, NULL, NULL, NULL, NULL);

ZTEST(placement_by_default, test_constants)
{
	const struct petite_conv2d_s8 *conv2d = conv2d_of(&separable_block_plan);

#ifdef CONFIG_TEST_RULES_FOR_ALL_MODELS
	assert_constant_in(conv2d->weights, DTCM);
	assert_constant_in(conv2d->multiplier, DTCM);
	assert_constant_in(conv2d->bias, FLASH);
#else
	assert_constants_in(&separable_block_checksums, FLASH);
	assert_constant_in(conv2d->weights, FLASH);
	assert_constant_in(conv2d->multiplier, FLASH);
	assert_constant_in(conv2d->bias, FLASH);
#endif
	zassert_ok(petite_verify(&separable_block_checksums, NULL));
}

ZTEST(placement_by_default, test_activations)
{
#ifdef CONFIG_TEST_RULES_FOR_ALL_MODELS
	assert_arena_in(&separable_block_plan, DTCM);
#else
	assert_arena_in(&separable_block_plan, RAM);
#endif
}

ZTEST(placement_by_default, test_outputs)
{
	golden_check(&separable_block_golden, separable_block_plans);
	golden_check(&state_recurrent_golden, state_recurrent_plans);
}
