/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Decides from successive model outputs when a keyword was spoken. Integer arithmetic.
 *
 * Each output becomes a probability distribution (softmax); the distributions of the last few
 * windows are averaged; a keyword is reported when its average reaches a threshold. After a report
 * the detector rests, because the same word stays in the model's window for a while.
 */
#ifndef KWS_DETECTOR_H
#define KWS_DETECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "labels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Windows that are averaged. */
#define KWS_SMOOTHED 3

struct kws_detector_config {
	/** log2(e) times the scale of the model's output, 16 fractional bits; see KWS_LOG2_STEP().
	 */
	int32_t log2_step;
	/** Average probability from which a keyword is reported, in 1/32768. */
	uint32_t threshold;
	/** How long to rest after a report. */
	uint32_t rest_ms;
};

/** log2_step for a model output of scale @p scale; folded by the compiler. */
#define KWS_LOG2_STEP(scale) ((int32_t)(1.4426950408889634 * 65536.0 * (double)(scale) + 0.5))

struct kws_detection {
	/** Index into kws_labels, KWS_FIRST_KEYWORD or above. */
	uint32_t label;
	/** Average probability, in percent. */
	uint32_t percent;
	/** Time of the last window that counted. */
	uint32_t time_ms;
};

struct kws_detector {
	struct kws_detector_config config;
	/** Windows seen since the start or the last report, at most KWS_SMOOTHED. */
	uint32_t seen;
	uint32_t next;
	/** No report before this time. */
	uint32_t rest_until_ms;
	uint16_t history[KWS_SMOOTHED][KWS_LABELS];
};

/** @brief Start with an empty history. */
void kws_detector_init(struct kws_detector *detector, const struct kws_detector_config *config);

/**
 * @brief Probabilities of one model output, in 1/32768; they add up to 32768 or a little less.
 *
 * @param logits    The model's int8 output. Its zero point does not matter.
 * @param log2_step See struct kws_detector_config.
 */
void kws_softmax(const int8_t logits[KWS_LABELS], int32_t log2_step,
		 uint16_t probability[KWS_LABELS]);

/**
 * @brief Take the model's output for the window that ends at @p time_ms; times must not go back.
 *
 * @return true when a keyword is reported in @p detection.
 */
bool kws_detector_update(struct kws_detector *detector, const int8_t logits[KWS_LABELS],
			 uint32_t time_ms, struct kws_detection *detection);

#ifdef __cplusplus
}
#endif

#endif /* KWS_DETECTOR_H */
