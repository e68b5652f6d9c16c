/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "scales.h"

#define LARGEST_OFFSET (1 << 22)

static bool is_shift(int32_t shift)
{
	return shift >= -31 && shift <= 30;
}

int32_t petite_s32_at(const int32_t *items, int32_t index)
{
	const uint8_t *bytes = (const uint8_t *)(const void *)items;
	int32_t value;

	memcpy(&value, bytes + (size_t)index * sizeof(value), sizeof(value));
	return value;
}

int32_t petite_call_multiplier(struct petite_call *call, uint32_t position)
{
	int32_t multiplier = petite_call_int(call, position);

	petite_call_require(call, multiplier != INT32_MIN);
	return petite_call_failed(call) ? 0 : multiplier;
}

int32_t petite_call_shift(struct petite_call *call, uint32_t position)
{
	int32_t shift = petite_call_int(call, position);

	petite_call_require(call, is_shift(shift));
	return petite_call_failed(call) ? 0 : shift;
}

int32_t petite_call_offset(struct petite_call *call, uint32_t position)
{
	int32_t offset = petite_call_int(call, position);

	petite_call_require(call, offset >= -LARGEST_OFFSET && offset <= LARGEST_OFFSET);
	return petite_call_failed(call) ? 0 : offset;
}

int32_t petite_call_int8(struct petite_call *call, uint32_t position)
{
	int32_t value = petite_call_int(call, position);

	petite_call_require(call, value >= INT8_MIN && value <= INT8_MAX);
	return petite_call_failed(call) ? 0 : value;
}

const int32_t *petite_call_per_channel(struct petite_call *call, uint32_t position,
				       int32_t channels)
{
	struct petite_load_tensor tensor;

	petite_call_constant(call, position, PETITE_S32, &tensor);
	petite_call_require(call, tensor.count == channels);
	return petite_call_failed(call) ? NULL : tensor.data;
}

const int32_t *petite_call_bias(struct petite_call *call, uint32_t position, int32_t channels)
{
	return petite_call_is_none(call, position)
		       ? NULL
		       : petite_call_per_channel(call, position, channels);
}

struct petite_channel_scales petite_call_scales(struct petite_call *call, uint32_t multipliers,
						uint32_t shifts, int32_t channels)
{
	const int32_t *multiplier = petite_call_per_channel(call, multipliers, channels);
	const int32_t *shift = petite_call_per_channel(call, shifts, channels);
	int8_t *narrow = petite_call_reserve(call, (uint32_t)channels);

	for (int32_t i = 0; i < channels && !petite_call_failed(call); i++) {
		int32_t own_shift = petite_s32_at(shift, i);

		petite_call_require(call, petite_s32_at(multiplier, i) != INT32_MIN &&
						  is_shift(own_shift));
		if (narrow != NULL) {
			narrow[i] = (int8_t)own_shift;
		}
	}
	return (struct petite_channel_scales){.multiplier = multiplier, .shift = narrow};
}
