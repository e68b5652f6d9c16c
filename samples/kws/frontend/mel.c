/* SPDX-License-Identifier: Apache-2.0 */
#include "mel.h"

#include <string.h>

#define ENERGY_FLOOR ((uint64_t)1 << 24)
#define LOG_CENTRE (40 * 512)

static inline uint64_t square(int32_t a)
{
	return (uint64_t)((int64_t)a * a);
}

int32_t kws_log2_of(uint64_t value)
{
	int32_t exponent = 31;
	uint32_t mantissa, segment, rest, low, high, fraction;

	/* Bring the leading one to bit 31; what falls off below does not matter. */
	while (value >> 32) {
		value >>= 1;
		exponent++;
	}
	mantissa = (uint32_t)value;
	while (!(mantissa & 0x80000000u)) {
		mantissa <<= 1;
		exponent--;
	}
	segment = (mantissa >> 25) & (KWS_LOG2_SEGMENTS - 1);
	rest = (mantissa >> 10) & 0x7fff;
	low = kws_log2[segment];
	high = kws_log2[segment + 1];
	fraction = low + (((high - low) * rest) >> 15);
	return exponent * 512 + (int32_t)(fraction >> 6);
}

void kws_mel_energies(const struct kws_complex spectrum[KWS_FFT / 2], uint64_t energy[KWS_BANDS])
{
	const uint16_t *weight = kws_band_weight;

	memset(energy, 0, KWS_BANDS * sizeof(energy[0]));
	/* Between two corners, the triangle below falls as the one above rises. */
	for (uint32_t segment = 0; segment <= KWS_BANDS; segment++) {
		uint64_t rising = 0;
		uint64_t falling = 0;

		for (uint32_t k = kws_band_edge[segment]; k < kws_band_edge[segment + 1]; k++) {
			struct kws_complex bin = kws_fft_bin(spectrum, k);
			uint64_t power = (square(bin.re) + square(bin.im)) >> 10;

			rising += power * *weight;
			falling += power * (1024u - *weight);
			weight++;
		}
		if (segment < KWS_BANDS) {
			energy[segment] += rising;
		}
		if (segment > 0) {
			energy[segment - 1] += falling;
		}
	}
}

void kws_mel_cepstrum(const uint64_t energy[KWS_BANDS], int16_t features[KWS_COEFFICIENTS])
{
	int32_t sum[KWS_COEFFICIENTS];

	memcpy(sum, kws_offset, sizeof(sum));
	for (uint32_t m = 0; m < KWS_BANDS; m++) {
		int32_t level = kws_log2_of(energy[m] + ENERGY_FLOOR) - LOG_CENTRE;

		for (uint32_t c = 0; c < KWS_COEFFICIENTS; c++) {
			sum[c] += kws_cosine[c][m] * level;
		}
	}
	for (uint32_t c = 0; c < KWS_COEFFICIENTS; c++) {
		int32_t feature = sum[c] >> KWS_DCT_SHIFT;

		feature = feature > INT16_MAX ? INT16_MAX : feature;
		feature = feature < INT16_MIN ? INT16_MIN : feature;
		features[c] = (int16_t)feature;
	}
}
