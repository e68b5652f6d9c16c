/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Streaming audio front end: 16 kHz samples in, the model's int8 input out.
 *
 * Fixed point throughout: no floating point, no libm, no allocation. A frame of 10 coefficients
 * (40 ms, every 20 ms) is computed when the hop that completes it arrives, and quantised at once to
 * the model's grid; the last 49 frames, one second, are kept.
 *
 * train/frontend.py does the same in Python, bit for bit.
 */
#ifndef KWS_FRONTEND_H
#define KWS_FRONTEND_H

#include <stdint.h>

#include "fft.h"
#include "tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Samples per second. */
#define KWS_RATE 16000
/** New samples per frame: 20 ms. */
#define KWS_HOP 320
/** Frames that the model sees: one second. */
#define KWS_FRAMES 49
/** Bytes of the model's input, oldest frame first. */
#define KWS_FEATURES (KWS_FRAMES * KWS_COEFFICIENTS)

/**
 * How a feature becomes an int8 of the model's input:
 * q = clamp(((feature * multiplier + 2^15) >> 16) + zero_point), feature in units of 2^-10.
 */
struct kws_grid {
	int32_t multiplier;
	int32_t zero_point;
};

/**
 * Initialiser of a struct kws_grid from the two macros in the model's generated header. Folded by
 * the compiler: no floating point is left. @p scale must be above 2^-9; the shipped model has
 * 2^-5 and zero point 0, so that its multiplier is exact.
 */
#define KWS_GRID(scale, zero)                                                                      \
	{.multiplier = (int32_t)(65536.0 / 1024.0 / (double)(scale) + 0.5), .zero_point = (zero)}

/** State of one audio stream, about 6 KiB. */
struct kws_frontend {
	struct kws_grid grid;
	/** Ring position: the oldest frame, and the one to be replaced next. */
	uint32_t oldest;
	int16_t samples[KWS_WINDOW];
	int8_t frames[KWS_FRAMES][KWS_COEFFICIENTS];
	/** Scratch of one frame's transform. */
	struct kws_complex spectrum[KWS_FFT / 2];
};

/** @brief Start a stream, as if it had been silent for ever. */
void kws_frontend_init(struct kws_frontend *frontend, const struct kws_grid *grid);

/** @brief Take the next 20 ms. */
void kws_frontend_push(struct kws_frontend *frontend, const int16_t hop[KWS_HOP]);

/** @brief Write the last second's features: 49 frames of 10 coefficients, oldest first. */
void kws_frontend_read(const struct kws_frontend *frontend, int8_t features[KWS_FEATURES]);

#ifdef __cplusplus
}
#endif

#endif /* KWS_FRONTEND_H */
