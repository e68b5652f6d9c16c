/* SPDX-License-Identifier: Apache-2.0 */
#include "fft.h"

#define POINTS (KWS_FFT / 2)

/*
 * Right shifts of negative numbers round down on every compiler that this builds with; the test
 * against the Python twin would show one that does not.
 */

/** round(a * w / 2^14) without a 64-bit product, which the smallest cores do not have. */
static inline int32_t scale(int32_t a, int32_t w)
{
	int32_t high = a >> 16;
	int32_t low = a & 0xffff;

	return high * w * 4 + ((low * w + 8192) >> 14);
}

/** a * exp(-2 pi i k / KWS_FFT), for k below KWS_FFT / 2. */
static inline struct kws_complex rotate(struct kws_complex a, uint32_t k)
{
	int32_t sine = kws_sine[k];
	int32_t cosine = kws_sine[k + KWS_FFT / 4];
	struct kws_complex r = {
		.re = scale(a.re, cosine) + scale(a.im, sine),
		.im = scale(a.im, cosine) - scale(a.re, sine),
	};

	return r;
}

static void swap_to_bit_reversed(struct kws_complex *data)
{
	uint32_t reversed = 0;

	for (uint32_t i = 1; i < POINTS; i++) {
		uint32_t bit = POINTS / 2;

		/* Count up in mirrored binary: the carry runs from the top bit down. */
		while (reversed & bit) {
			reversed ^= bit;
			bit /= 2;
		}
		reversed |= bit;
		if (i < reversed) {
			struct kws_complex other = data[i];

			data[i] = data[reversed];
			data[reversed] = other;
		}
	}
}

void kws_fft(struct kws_complex data[KWS_FFT / 2])
{
	swap_to_bit_reversed(data);
	for (uint32_t half = 1; half < POINTS; half *= 2) {
		uint32_t step = POINTS / half;

		for (uint32_t j = 0; j < half; j++) {
			for (uint32_t i = j; i < POINTS; i += 2 * half) {
				struct kws_complex a = data[i];
				struct kws_complex b = rotate(data[i + half], j * step);

				data[i].re = a.re + b.re;
				data[i].im = a.im + b.im;
				data[i + half].re = a.re - b.re;
				data[i + half].im = a.im - b.im;
			}
		}
	}
}

struct kws_complex kws_fft_bin(const struct kws_complex data[KWS_FFT / 2], uint32_t k)
{
	struct kws_complex a = data[k];
	struct kws_complex b = data[POINTS - k];
	/* Twice the bins of the even samples and of the odd samples. */
	struct kws_complex even = {.re = a.re + b.re, .im = a.im - b.im};
	struct kws_complex odd = {.re = a.im + b.im, .im = b.re - a.re};
	struct kws_complex r = rotate(odd, k);

	r.re += even.re;
	r.im += even.im;
	return r;
}
