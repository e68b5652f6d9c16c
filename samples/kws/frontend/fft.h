/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Fourier transform of 1024 real samples in integer arithmetic.
 *
 * The samples are taken in pairs as 512 complex numbers (even samples real, odd ones imaginary),
 * transformed in place by nine radix-2 stages, and the real signal's bins are read out one by one.
 *
 * Values are 32 bits wide and are never scaled down: an input below 2^21 leaves room for the
 * growth of all stages. Products with the sine table (14 fractional bits) are rounded to nearest.
 */
#ifndef KWS_FFT_H
#define KWS_FFT_H

#include <stdint.h>

#include "tables.h"

/** A complex number. */
struct kws_complex {
	int32_t re;
	int32_t im;
};

/**
 * @brief Transform in place.
 *
 * @param data Samples 2 i (re) and 2 i + 1 (im), each of magnitude at most 2^20, whose magnitudes
 *             add up to at most 2^29.
 */
void kws_fft(struct kws_complex data[KWS_FFT / 2]);

/**
 * @brief Twice the bin @p k of the real signal's spectrum.
 *
 * @param data What kws_fft() left.
 * @param k    1 to KWS_FFT / 2 - 1.
 */
struct kws_complex kws_fft_bin(const struct kws_complex data[KWS_FFT / 2], uint32_t k);

#endif /* KWS_FFT_H */
