/* SPDX-License-Identifier: Apache-2.0 */
/* Constants in the system's RAM, copied at boot together with Zephyr's own data. */
#include "common.h"

#include "in_ram.h"
#include "separable_block_golden.h"

ZTEST_SUITE(placement_in_ram, NULL, NULL, NULL, NULL, NULL);

ZTEST(placement_in_ram, test_constants)
{
	const struct petite_depthwise_conv2d_s8 *depthwise = depthwise_of(&in_ram_plan);

	assert_constants_in(&in_ram_checksums, RAM);
	assert_constant_in(depthwise->weights, RAM);
	assert_constant_in(depthwise->bias, RAM);
	assert_constant_in(depthwise->multiplier, RAM);
	zassert_ok(petite_verify(&in_ram_checksums, NULL));
	assert_same_constants(&in_ram_checksums);
}

ZTEST(placement_in_ram, test_outputs)
{
	golden_check(&separable_block_golden, in_ram_plans);
}

ZTEST(placement_in_ram, test_damaged_constant_is_found)
{
	const uint32_t index = in_ram_checksums.count - 1;
	volatile uint8_t *byte = (volatile uint8_t *)in_ram_checksums.items[index].data;
	uint32_t corrupt = 0;

	*byte ^= 0x10;
	zassert_equal(petite_verify(&in_ram_checksums, &corrupt), PETITE_ERR_CORRUPT);
	zassert_equal(corrupt, index);
	*byte ^= 0x10;
	zassert_ok(petite_verify(&in_ram_checksums, &corrupt));
}
