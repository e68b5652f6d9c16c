/* SPDX-License-Identifier: Apache-2.0 */
/* CONFIG_PETITE_CHECKSUMS gives every model its checksums. */
#include <zephyr/ztest.h>

#include "separable_block.h"

ZTEST_SUITE(verify, NULL, NULL, NULL, NULL, NULL);

ZTEST(verify, test_constants_are_as_compiled)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < separable_block_checksums.count; i++) {
		bytes += separable_block_checksums.items[i].size;
	}
	zassert_equal(bytes, SEPARABLE_BLOCK_CONSTANT_BYTES);
	zassert_ok(petite_verify(&separable_block_checksums, NULL));
}

ZTEST(verify, test_wrong_checksum_is_found)
{
	struct petite_checksum item = separable_block_checksums.items[1];
	const struct petite_checksums one = {.items = &item, .count = 1};
	uint32_t corrupt = 99;

	zassert_ok(petite_verify(&one, &corrupt));
	zassert_equal(corrupt, 99);
	item.crc ^= 1;
	zassert_equal(petite_verify(&one, &corrupt), PETITE_ERR_CORRUPT);
	zassert_equal(corrupt, 0);
	zassert_equal(petite_verify(NULL, NULL), PETITE_ERR_ARGUMENT);
}
