/* SPDX-License-Identifier: Apache-2.0 */
#include "detector.h"

#include <string.h>

/* 2^(-i/16) with 15 fractional bits. */
static const uint16_t half_lives[17] = {
	32768, 31379, 30048, 28774, 27554, 26386, 25268, 24196, 23170,
	22188, 21247, 20347, 19484, 18658, 17867, 17109, 16384,
};

/** 2^-x with 15 fractional bits, for x >= 0 with 16 fractional bits. */
static uint32_t power_of_half(uint32_t x)
{
	uint32_t whole = x >> 16;
	uint32_t segment = (x >> 12) & 15;
	uint32_t rest = x & 0xfff;
	uint32_t high = half_lives[segment];
	uint32_t low = half_lives[segment + 1];

	return whole > 15 ? 0 : (high - (((high - low) * rest) >> 12)) >> whole;
}

void kws_softmax(const int8_t logits[KWS_LABELS], int32_t log2_step,
		 uint16_t probability[KWS_LABELS])
{
	uint32_t weight[KWS_LABELS];
	uint32_t sum = 0;
	int32_t best = logits[0];

	for (uint32_t i = 1; i < KWS_LABELS; i++) {
		best = logits[i] > best ? logits[i] : best;
	}
	for (uint32_t i = 0; i < KWS_LABELS; i++) {
		weight[i] = power_of_half((uint32_t)(best - logits[i]) * (uint32_t)log2_step);
		sum += weight[i];
	}
	for (uint32_t i = 0; i < KWS_LABELS; i++) {
		probability[i] = (uint16_t)((weight[i] << 15) / sum);
	}
}

void kws_detector_init(struct kws_detector *detector, const struct kws_detector_config *config)
{
	memset(detector, 0, sizeof(*detector));
	detector->config = *config;
}

/** The keyword with the highest average; the average goes to @p average. */
static uint32_t best_keyword(const struct kws_detector *detector, uint32_t *average)
{
	uint32_t best = KWS_FIRST_KEYWORD;
	uint32_t best_sum = 0;

	for (uint32_t label = KWS_FIRST_KEYWORD; label < KWS_LABELS; label++) {
		uint32_t sum = 0;

		for (uint32_t i = 0; i < KWS_SMOOTHED; i++) {
			sum += detector->history[i][label];
		}
		if (sum > best_sum) {
			best = label;
			best_sum = sum;
		}
	}
	*average = best_sum / KWS_SMOOTHED;
	return best;
}

bool kws_detector_update(struct kws_detector *detector, const int8_t logits[KWS_LABELS],
			 uint32_t time_ms, struct kws_detection *detection)
{
	uint32_t average, label;

	kws_softmax(logits, detector->config.log2_step, detector->history[detector->next]);
	detector->next = (detector->next + 1) % KWS_SMOOTHED;
	if (detector->seen < KWS_SMOOTHED) {
		detector->seen++;
	}
	if (detector->seen < KWS_SMOOTHED || time_ms < detector->rest_until_ms) {
		return false;
	}
	label = best_keyword(detector, &average);
	if (average < detector->config.threshold) {
		return false;
	}
	detection->label = label;
	detection->percent = (average * 100 + 16384) >> 15;
	detection->time_ms = time_ms;
	detector->rest_until_ms = time_ms + detector->config.rest_ms;
	/* What led to this report must not lead to another. */
	detector->seen = 0;
	return true;
}
