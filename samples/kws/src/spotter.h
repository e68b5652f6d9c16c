/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finds keywords in a stream of samples: front end, model and detector, one after another.
 */
#ifndef KWS_SPOTTER_H
#define KWS_SPOTTER_H

#include <stdbool.h>
#include <stdint.h>

#include <petite/status.h>

#include "detector.h"
#include "frontend.h"

/** Hops between two inferences: the model sees the last second every 160 ms. */
#define KWS_HOPS_PER_INFERENCE 8

/** Average probability, in percent, from which a keyword is reported. */
#define KWS_THRESHOLD_PERCENT 70
/** How long the detector rests after a report. */
#define KWS_REST_MS 960

/** One stream. There is one model, so only one stream at a time. */
struct kws_spotter {
	struct kws_frontend frontend;
	struct kws_detector detector;
	uint32_t hops;
	/** Inferences since kws_spotter_init(). */
	uint32_t inferences;
	/** What the last inference took, by the platform's clock. */
	uint32_t ticks;
};

/** @brief Start a stream. */
void kws_spotter_init(struct kws_spotter *spotter);

/**
 * @brief Take the next 20 ms.
 *
 * @param found Set to whether @p detection was filled.
 * @return What petite_run() said, where the model ran; PETITE_OK otherwise.
 */
enum petite_status kws_spotter_push(struct kws_spotter *spotter, const int16_t hop[KWS_HOP],
				    bool *found, struct kws_detection *detection);

#endif /* KWS_SPOTTER_H */
