/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The exponential function, without libm, the same bits on every core.
 */
#ifndef PETITE_KERNELS_COMMON_EXP_H
#define PETITE_KERNELS_COMMON_EXP_H

#include <stdint.h>
#include <string.h>

/**
 * exp(x), relative error below 1e-15 for x in [-700, 700]; beyond, the value at the edge. A NaN
 * stays one.
 *
 * x = k ln 2 + r with |r| <= ln(2) / 2; exp(r) is the Taylor polynomial of degree 13 (the next term
 * is below 5e-18), and 2^k is put together from its bits. ln 2 has two parts, so that the product
 * with k is exact in the first.
 */
static inline double petite_exp(double x)
{
	const double ln2_high = 0x1.62e42feep-1;
	const double ln2_low = 0x1.a39ef35793c76p-33;
	double r;
	double sum = 1.0;
	double power;
	int32_t k;
	uint64_t bits;

	if (x != x) {
		return x;
	}
	x = x < -700.0 ? -700.0 : x;
	x = x > 700.0 ? 700.0 : x;
	k = (int32_t)(x * 1.4426950408889634 + (x < 0.0 ? -0.5 : 0.5));
	r = (x - k * ln2_high) - k * ln2_low;
	for (int32_t n = 13; n >= 1; n--) {
		sum = 1.0 + sum * r / n;
	}
	bits = (uint64_t)(k + 1023) << 52;
	memcpy(&power, &bits, sizeof(power));
	return sum * power;
}

#endif /* PETITE_KERNELS_COMMON_EXP_H */
