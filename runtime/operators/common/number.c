/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <float.h>
#include <string.h>

#include "layout.h"
#include "real.h"

/** Halfway between the largest float32 and what would be the next one. */
#define FLOAT_OVERFLOW 0x1.ffffffp127

float petite_call_float(struct petite_call *call, uint32_t position)
{
	double value = petite_call_number(call, position);

	/* A conversion that leaves the range is undefined. */
	if (value >= FLOAT_OVERFLOW) {
		return PETITE_INFINITY;
	}
	if (value <= -FLOAT_OVERFLOW) {
		return -PETITE_INFINITY;
	}
	if (value > (double)FLT_MAX) {
		return FLT_MAX;
	}
	if (value < -(double)FLT_MAX) {
		return -FLT_MAX;
	}
	return (float)value;
}

void petite_call_float_bytes(float value, uint8_t *bytes)
{
	memcpy(bytes, &value, sizeof(value));
}

/** Whether an integer is one of a type's. */
static bool fits(int64_t value, uint8_t dtype)
{
	switch (dtype) {
	case PETITE_S8:
		return value >= INT8_MIN && value <= INT8_MAX;
	case PETITE_S16:
		return value >= INT16_MIN && value <= INT16_MAX;
	case PETITE_S32:
		return value >= INT32_MIN && value <= INT32_MAX;
	case PETITE_U8:
		return value >= 0 && value <= UINT8_MAX;
	default:
		return true;
	}
}

void petite_call_long_bytes(struct petite_call *call, int64_t value, uint8_t dtype, uint8_t *bytes)
{
	petite_call_require(call, fits(value, dtype));
	if (dtype == PETITE_BOOL) {
		value = value != 0;
	}
	/* Cores are little-endian: the low bytes come first. */
	memcpy(bytes, &value, petite_element_size(dtype));
}

void petite_call_number_bytes(struct petite_call *call, uint32_t position, uint8_t dtype,
			      uint8_t *bytes)
{
	if (dtype == PETITE_F32) {
		petite_call_float_bytes(petite_call_float(call, position), bytes);
	} else if (petite_call_number_type(call, position) == PETITE_F32) {
		double value = petite_call_number(call, position);
		/* A whole number that a program has as a double, such as 0.0. */
		bool is_whole =
			value >= -0x1p53 && value <= 0x1p53 && value == (double)(int64_t)value;

		petite_call_require(call, is_whole || dtype == PETITE_BOOL);
		if (dtype == PETITE_BOOL) {
			bytes[0] = value != 0.0;
			return;
		}
		petite_call_long_bytes(call, is_whole ? (int64_t)value : 0, dtype, bytes);
	} else {
		petite_call_long_bytes(call, petite_call_long(call, position), dtype, bytes);
	}
}

void petite_call_element(struct petite_call *call, uint8_t dtype, const uint8_t *bytes,
			 struct petite_load_tensor *tensor)
{
	uint8_t *kept = petite_call_reserve(call, 8);

	*tensor = (struct petite_load_tensor){
		.data = kept,
		.count = 1,
		.dtype = dtype,
		.is_constant = true,
	};
	if (kept != NULL) {
		memcpy(kept, bytes, petite_element_size(dtype));
	}
}

void petite_call_number_tensor(struct petite_call *call, uint32_t position, uint8_t dtype,
			       struct petite_load_tensor *tensor)
{
	uint8_t bytes[8] = {0};

	petite_call_number_bytes(call, position, dtype, bytes);
	petite_call_element(call, dtype, bytes, tensor);
}
