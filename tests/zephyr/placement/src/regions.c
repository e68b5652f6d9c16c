/* SPDX-License-Identifier: Apache-2.0 */
/* Constants and activations in named memory regions of the devicetree, as WEIGHTS say it. */
#include "common.h"

#include "in_many.h"
#include "in_one_region.h"
#include "separable_block_golden.h"
#include "state_recurrent_golden.h"
#include "states_in_region.h"

ZTEST_SUITE(placement_in_regions, NULL, NULL, NULL, NULL, NULL);

ZTEST(placement_in_regions, test_everything_in_one)
{
	const struct petite_conv2d_s8 *conv2d = conv2d_of(&in_one_region_plan);

	assert_constants_in(&in_one_region_checksums, DTCM);
	assert_constant_in(conv2d->weights, DTCM);
	assert_constant_in(conv2d->bias, DTCM);
	assert_constant_in(conv2d->multiplier, DTCM);
	assert_arena_in(&in_one_region_plan, DTCM);
	zassert_ok(petite_verify(&in_one_region_checksums, NULL));
	assert_same_constants(&in_one_region_checksums);
	golden_check(&separable_block_golden, in_one_region_plans);
}

ZTEST(placement_in_regions, test_patterns_and_the_last_one_wins)
{
	const struct petite_conv2d_s8 *conv2d = conv2d_of(&in_many_plan);
	const struct petite_depthwise_conv2d_s8 *depthwise = depthwise_of(&in_many_plan);

	assert_constant_in(conv2d->weights, ITCM);
	assert_constant_in(conv2d->bias, RAM);
	assert_constant_in(conv2d->multiplier, DDR4);
	assert_constant_in(conv2d->shift, DDR4);
	assert_constant_in(depthwise->weights, DTCM);
	assert_constant_in(depthwise->bias, FLASH);
	assert_constant_in(depthwise->multiplier, DDR4);
	assert_constant_in(depthwise->shift, DDR4);
	assert_arena_in(&in_many_plan, ITCM);
	zassert_ok(petite_verify(&in_many_checksums, NULL));
	assert_same_constants(&in_many_checksums);
	golden_check(&separable_block_golden, in_many_plans);
}

ZTEST(placement_in_regions, test_states)
{
	zassert_true(states_in_region_plan.state_count > 0);
	for (uint32_t i = 0; i < states_in_region_plan.state_count; i++) {
		assert_constant_in((const float *)states_in_region_plan.states[i].data, DTCM);
	}
	golden_check(&state_recurrent_golden, states_in_region_plans);
}
