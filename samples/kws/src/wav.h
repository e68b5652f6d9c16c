/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Reads WAV files of the one form that the recogniser takes: 16 kHz, mono, 16 bits.
 */
#ifndef KWS_WAV_H
#define KWS_WAV_H

#include <stdint.h>

#include "byte_source.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A WAV file whose header has been read. */
struct kws_wav {
	struct kws_byte_source bytes;
	/** Bytes of sound that are still to come, by the header. */
	uint32_t left;
};

/**
 * @brief Read up to the first sample.
 *
 * @return NULL, or one line that says what is wrong with the file.
 */
const char *kws_wav_open(struct kws_wav *wav, const struct kws_byte_source *bytes);

/**
 * @brief Read samples: a kws_audio_source whose context is a struct kws_wav.
 *
 * Where the file ends before the length in its header, `left` stays above zero.
 */
uint32_t kws_wav_read(void *wav, int16_t *samples, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif /* KWS_WAV_H */
