/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Sizes and constant tables of the audio front end. make_tables.py explains each table.
 */
#ifndef KWS_TABLES_H
#define KWS_TABLES_H

#include <stdint.h>

/** Samples per frame: 40 ms at 16 kHz. */
#define KWS_WINDOW 640
/** Length of the Fourier transform; a frame is padded with zeros to it. */
#define KWS_FFT 1024
/** Triangular bands, equally spaced on the mel scale between 80 Hz and 7600 Hz. */
#define KWS_BANDS 40
/** Cepstral coefficients kept per frame. */
#define KWS_COEFFICIENTS 10
/** Straight pieces that approximate the logarithm. */
#define KWS_LOG2_SEGMENTS 64
/** A row's sum over the bands is shifted right by this to give a feature (2^-10 units). */
#define KWS_DCT_SHIFT 14

extern const int16_t kws_window[KWS_WINDOW];
extern const int16_t kws_sine[KWS_FFT * 3 / 4];
extern const uint16_t kws_band_edge[KWS_BANDS + 2];
extern const uint16_t kws_band_weight[];
extern const uint16_t kws_log2[KWS_LOG2_SEGMENTS + 1];
extern const int16_t kws_cosine[KWS_COEFFICIENTS][KWS_BANDS];
extern const int32_t kws_offset[KWS_COEFFICIENTS];

#endif /* KWS_TABLES_H */
