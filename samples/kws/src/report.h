/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Says what was heard. Everything is printed twice: a line to read, and one of JSON.
 *
 * Lines of JSON start with a brace and have a string "event": model, keyword, clip, error, summary.
 * Times of inferences ("us", microseconds) are left out where the platform's clock cannot tell.
 */
#ifndef KWS_REPORT_H
#define KWS_REPORT_H

#include <stdint.h>

#include "detector.h"
#include "times.h"

/** What was heard in a clip, or in all clips. */
struct kws_heard {
	uint32_t clips;
	uint32_t keywords;
	uint32_t inferences;
	/** Sound, without the silence after each clip. */
	uint32_t milliseconds;
	/** Clips that could not be played to their end. */
	uint32_t failures;
	struct kws_times times;
};

/** @brief The model: its name, core, arena and constants. */
void kws_report_model(void);

/** @brief Why a clip could not be played. */
void kws_report_failure(const char *clip, const char *reason);

/**
 * @brief A keyword.
 *
 * @param microseconds What the inference took that decided it; NULL where that is not known.
 */
void kws_report_keyword(const char *clip, const struct kws_detection *detection,
			const uint32_t *microseconds);

/** @brief The end of a clip. */
void kws_report_clip(const char *clip, const struct kws_heard *heard);

/** @brief The totals. */
void kws_report_summary(const struct kws_heard *heard);

#endif /* KWS_REPORT_H */
