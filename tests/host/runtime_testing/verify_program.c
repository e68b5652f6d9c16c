/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include <petite/verify.h>

#include "check.h"

#define UNTOUCHED 4711U

static const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
/* The check value that catalogues of CRCs give for these digits. */
#define CRC_OF_DIGITS 0xCBF43926U

static uint8_t copy[sizeof(digits) + 3];

/* The copy begins at every alignment in turn. */
static uint8_t *copy_at(uint32_t offset)
{
	memcpy(copy + offset, digits, sizeof(digits));
	return copy + offset;
}

static enum petite_status verify_digits(const uint8_t *data)
{
	const struct petite_checksum item = {data, sizeof(digits), CRC_OF_DIGITS};
	const struct petite_checksums all = {&item, 1};

	return petite_verify(&all, NULL);
}

TEST(check_value)
{
	for (uint32_t offset = 0; offset < 4; offset++) {
		CHECK(verify_digits(copy_at(offset)) == PETITE_OK);
	}
}

TEST(every_single_bit_counts)
{
	for (uint32_t bit = 0; bit < 8 * sizeof(digits); bit++) {
		uint8_t *data = copy_at(0);

		data[bit / 8] ^= (uint8_t)(1U << (bit % 8));
		CHECK(verify_digits(data) == PETITE_ERR_CORRUPT);
	}
}

TEST(memory_that_nobody_wrote)
{
	static const uint8_t zeros[sizeof(digits)];
	uint8_t erased[sizeof(digits)];

	memset(erased, 0xff, sizeof(erased));
	CHECK(verify_digits(zeros) == PETITE_ERR_CORRUPT);
	CHECK(verify_digits(erased) == PETITE_ERR_CORRUPT);
}

TEST(the_first_wrong_constant_is_told)
{
	struct petite_checksum items[] = {
		{digits, sizeof(digits), CRC_OF_DIGITS},
		{digits, 0, 0},
		{digits, sizeof(digits), CRC_OF_DIGITS},
	};
	const struct petite_checksums all = {items, 3};

	for (uint32_t wrong = 0; wrong < 3; wrong++) {
		uint32_t corrupt = UNTOUCHED;

		items[wrong].crc ^= 1U;
		if (wrong == 0) {
			items[2].crc ^= 1U;
		}
		CHECK(petite_verify(&all, &corrupt) == PETITE_ERR_CORRUPT);
		CHECK(corrupt == wrong);
		CHECK(petite_verify(&all, NULL) == PETITE_ERR_CORRUPT);
		items[wrong].crc ^= 1U;
		if (wrong == 0) {
			items[2].crc ^= 1U;
		}
	}
}

TEST(the_index_is_written_only_for_a_wrong_constant)
{
	const struct petite_checksum item = {digits, sizeof(digits), CRC_OF_DIGITS};
	const struct petite_checksums all = {&item, 1};
	uint32_t corrupt = UNTOUCHED;

	CHECK(petite_verify(&all, &corrupt) == PETITE_OK);
	CHECK(petite_verify(NULL, &corrupt) == PETITE_ERR_ARGUMENT);
	CHECK(corrupt == UNTOUCHED);
}

TEST(a_model_without_constants)
{
	const struct petite_checksums none = {NULL, 0};

	CHECK(petite_verify(&none, NULL) == PETITE_OK);
}

TESTS(ENTRY(check_value), ENTRY(every_single_bit_counts), ENTRY(memory_that_nobody_wrote),
      ENTRY(the_first_wrong_constant_is_told),
      ENTRY(the_index_is_written_only_for_a_wrong_constant), ENTRY(a_model_without_constants))
