/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where samples come from: a file on the emulator; a microphone on a board.
 */
#ifndef KWS_AUDIO_SOURCE_H
#define KWS_AUDIO_SOURCE_H

#include <stdint.h>

/** 16 kHz mono samples, as many as are asked for until they end. */
struct kws_audio_source {
	/**
	 * Read the next @p count samples. A source that is live waits for them; one that ends
	 * returns fewer, and 0 from then on.
	 */
	uint32_t (*read)(void *context, int16_t *samples, uint32_t count);
	void *context;
};

#endif /* KWS_AUDIO_SOURCE_H */
