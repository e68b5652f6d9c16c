/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Fixed-point scales and int8 limits among a call's arguments.
 */
#ifndef PETITE_OPERATORS_COMMON_SCALES_H
#define PETITE_OPERATORS_COMMON_SCALES_H

#include <stdint.h>

#include <petite/prepare.h>

/**
 * @brief Element of a constant.
 *
 * While memory is counted, a constant may lie in the program without alignment; it is copied when
 * memory is filled. So a prepare function must read constants this way.
 */
int32_t petite_s32_at(const int32_t *items, int32_t index);

/** A multiplier in the range of kernels/common/requantize.h. */
int32_t petite_call_multiplier(struct petite_call *call, uint32_t position);

/** A shift in that range. */
int32_t petite_call_shift(struct petite_call *call, uint32_t position);

/** A zero point, or minus one: at most 2^22 in size. */
int32_t petite_call_offset(struct petite_call *call, uint32_t position);

/** An int8. */
int32_t petite_call_int8(struct petite_call *call, uint32_t position);

/** A constant of int32 numbers, one for each channel. */
const int32_t *petite_call_per_channel(struct petite_call *call, uint32_t position,
				       int32_t channels);

/** The same, or NULL where the argument is absent. */
const int32_t *petite_call_bias(struct petite_call *call, uint32_t position, int32_t channels);

/** Scales for each channel. */
struct petite_channel_scales {
	const int32_t *multiplier;
	/** Kept in memory for structures: files have 32 bits for each shift, and kernels 8. */
	const int8_t *shift;
};

struct petite_channel_scales petite_call_scales(struct petite_call *call, uint32_t multipliers,
						uint32_t shifts, int32_t channels);

#endif /* PETITE_OPERATORS_COMMON_SCALES_H */
