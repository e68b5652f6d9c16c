/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend.h"

#include <string.h>

#include "mel.h"

_Static_assert(KWS_WINDOW == 2 * KWS_HOP, "a frame is made of two hops");

static int8_t quantise(const struct kws_grid *grid, int16_t feature)
{
	int32_t q = ((feature * grid->multiplier + 32768) >> 16) + grid->zero_point;

	q = q > INT8_MAX ? INT8_MAX : q;
	q = q < INT8_MIN ? INT8_MIN : q;
	return (int8_t)q;
}

/** Sample @p i under the window, with 5 fractional bits. */
static int32_t windowed(const struct kws_frontend *frontend, uint32_t i)
{
	return (frontend->samples[i] * kws_window[i] + 512) >> 10;
}

/** Compute the features of the samples at hand, into @p frame. */
static void compute_frame(struct kws_frontend *frontend, int8_t frame[KWS_COEFFICIENTS])
{
	uint64_t energy[KWS_BANDS];
	int16_t features[KWS_COEFFICIENTS];

	memset(frontend->spectrum, 0, sizeof(frontend->spectrum));
	for (uint32_t i = 0; i < KWS_WINDOW / 2; i++) {
		frontend->spectrum[i].re = windowed(frontend, 2 * i);
		frontend->spectrum[i].im = windowed(frontend, 2 * i + 1);
	}
	kws_fft(frontend->spectrum);
	kws_mel_energies(frontend->spectrum, energy);
	kws_mel_cepstrum(energy, features);
	for (uint32_t c = 0; c < KWS_COEFFICIENTS; c++) {
		frame[c] = quantise(&frontend->grid, features[c]);
	}
}

void kws_frontend_init(struct kws_frontend *frontend, const struct kws_grid *grid)
{
	frontend->grid = *grid;
	frontend->oldest = 0;
	memset(frontend->samples, 0, sizeof(frontend->samples));
	compute_frame(frontend, frontend->frames[0]);
	for (uint32_t i = 1; i < KWS_FRAMES; i++) {
		memcpy(frontend->frames[i], frontend->frames[0], sizeof(frontend->frames[0]));
	}
}

void kws_frontend_push(struct kws_frontend *frontend, const int16_t hop[KWS_HOP])
{
	int16_t *samples = frontend->samples;

	memcpy(samples, samples + KWS_HOP, KWS_HOP * sizeof(samples[0]));
	memcpy(samples + KWS_HOP, hop, KWS_HOP * sizeof(samples[0]));
	compute_frame(frontend, frontend->frames[frontend->oldest]);
	frontend->oldest++;
	if (frontend->oldest == KWS_FRAMES) {
		frontend->oldest = 0;
	}
}

void kws_frontend_read(const struct kws_frontend *frontend, int8_t features[KWS_FEATURES])
{
	uint32_t newer = (KWS_FRAMES - frontend->oldest) * KWS_COEFFICIENTS;

	memcpy(features, frontend->frames[frontend->oldest], newer);
	memcpy(features + newer, frontend->frames[0], frontend->oldest * KWS_COEFFICIENTS);
}
