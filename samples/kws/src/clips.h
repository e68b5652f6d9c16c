/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief WAV files that are part of the firmware. make_clips.py writes the definition.
 */
#ifndef KWS_CLIPS_H
#define KWS_CLIPS_H

#include <stdint.h>

struct kws_clip {
	const char *name;
	const uint8_t *bytes;
	uint32_t size;
};

extern const struct kws_clip kws_clips[];
extern const uint32_t kws_clip_count;

#endif /* KWS_CLIPS_H */
