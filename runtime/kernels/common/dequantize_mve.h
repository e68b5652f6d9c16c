/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Integers to float32 for Helium, also where it has no floats.
 */
#ifndef PETITE_KERNELS_COMMON_DEQUANTIZE_MVE_H
#define PETITE_KERNELS_COMMON_DEQUANTIZE_MVE_H

#include <stdint.h>
#include <string.h>

#include <arm_mve.h>

/** Elements that are computed at once. */
#define PETITE_DEQUANTIZE_BLOCK 4

/** A float to whose bits integers below 2^22 in size can be added as if to the float. */
#define PETITE_MIDDLE 12582912.0f
#define PETITE_BITS_OF_MIDDLE 0x4B400000

/** No intrinsics: where Helium has no floats, compilers compute one after the other. */
typedef float petite_floats __attribute__((vector_size(16)));

/**
 * Store four integers, scaled.
 *
 * @param sums PETITE_BITS_OF_MIDDLE plus the integers.
 */
static inline void petite_store_scaled_mve(float *output, int32x4_t sums, float scale)
{
	const petite_floats values = ((petite_floats)sums - PETITE_MIDDLE) * scale;

	memcpy(output, &values, sizeof(values));
}

#endif /* PETITE_KERNELS_COMMON_DEQUANTIZE_MVE_H */
