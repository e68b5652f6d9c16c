/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <string.h>

#include <petite/platform.h>

#include "audio_source.h"
#include "report.h"
#include "spotter.h"
#include "wav.h"

static struct kws_spotter spotter;
static struct kws_heard total;

void kws_app_start(void)
{
	memset(&total, 0, sizeof(total));
	kws_report_model();
}

bool kws_app_fail(const char *clip, const char *reason)
{
	total.failures++;
	kws_report_failure(clip, reason);
	return false;
}

/** Count what the spotter has just done, and report it. */
static void take_hop(const char *clip, uint32_t inferences, const struct kws_detection *detection,
		     struct kws_heard *heard)
{
	uint32_t rate = petite_platform_ticks_per_second();
	uint32_t microseconds = kws_microseconds(spotter.ticks, rate);
	/* In a simulation the clock may stand still while a program computes. */
	bool timed = kws_clock_is_fine(rate) && spotter.ticks > 0;

	if (timed && spotter.inferences > inferences) {
		kws_times_add(&heard->times, microseconds);
	}
	if (detection != NULL) {
		heard->keywords++;
		kws_report_keyword(clip, detection, timed ? &microseconds : NULL);
	}
}

/** Listen to a source until it ends; false where the model fails. */
static bool listen(const char *clip, const struct kws_audio_source *source, struct kws_heard *heard)
{
	uint32_t tail = 0;

	kws_spotter_init(&spotter);
	while (tail < KWS_TAIL_HOPS) {
		int16_t hop[KWS_HOP];
		uint32_t count = source->read(source->context, hop, KWS_HOP);
		uint32_t inferences = spotter.inferences;
		struct kws_detection detection;
		bool found;

		memset(hop + count, 0, (KWS_HOP - count) * sizeof(hop[0]));
		tail += count < KWS_HOP;
		if (kws_spotter_push(&spotter, hop, &found, &detection) != PETITE_OK) {
			return kws_app_fail(clip, "the model failed");
		}
		take_hop(clip, inferences, found ? &detection : NULL, heard);
	}
	heard->inferences = spotter.inferences;
	return true;
}

static void count_clip(const struct kws_heard *heard)
{
	total.clips++;
	total.keywords += heard->keywords;
	total.milliseconds += heard->milliseconds;
	total.inferences += heard->inferences;
	kws_times_merge(&total.times, &heard->times);
}

bool kws_app_play(const char *clip, const struct kws_byte_source *bytes)
{
	struct kws_wav wav;
	struct kws_audio_source source = {.read = kws_wav_read, .context = &wav};
	struct kws_heard heard = {0};
	const char *error = kws_wav_open(&wav, bytes);

	if (error != NULL) {
		return kws_app_fail(clip, error);
	}
	heard.milliseconds = wav.left / (2 * KWS_RATE / 1000);
	if (!listen(clip, &source, &heard)) {
		return false;
	}
	if (wav.left > 0) {
		return kws_app_fail(clip, "ends before the length that its header says");
	}
	count_clip(&heard);
	kws_report_clip(clip, &heard);
	return true;
}

int kws_app_finish(void)
{
	kws_report_summary(&total);
	return total.failures > 0 ? 1 : 0;
}
