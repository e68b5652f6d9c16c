/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief From a spectrum to cepstral coefficients in integer arithmetic.
 *
 *     E[m] = sum over bins k of (|2 X[k]|^2 >> 10) * w[m][k]      w: triangle, 1024 at its top
 *     L[m] = log2(E[m] + 2^24) - 40                               9 fractional bits
 *     f[c] = (sum over m of C[c][m] * L[m] + offset[c]) >> 14     10 fractional bits, 16-bit range
 *
 * The 2^24 is about what white noise of 3 units of a 16-bit sample gives in a narrow band: quieter
 * sounds, digital silence among them, all look the same.
 */
#ifndef KWS_MEL_H
#define KWS_MEL_H

#include <stdint.h>

#include "fft.h"
#include "tables.h"

/** @brief log2(@p value) with 9 fractional bits; @p value must not be zero. */
int32_t kws_log2_of(uint64_t value);

/** @brief Energy of each band, from what kws_fft() left. */
void kws_mel_energies(const struct kws_complex spectrum[KWS_FFT / 2], uint64_t energy[KWS_BANDS]);

/** @brief Features of one frame, in units of 2^-10, from the energies of its bands. */
void kws_mel_cepstrum(const uint64_t energy[KWS_BANDS], int16_t features[KWS_COEFFICIENTS]);

#endif /* KWS_MEL_H */
