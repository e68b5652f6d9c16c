/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stddef.h>

#include <petite/platform.h>

#include "kws.h"
#include "text.h"

/* The build says which core it is for. */
#ifndef KWS_CORE
#define KWS_CORE "unknown"
#endif

static struct kws_text line;

static void print_line(void)
{
	kws_text_add(&line, "\n");
	petite_platform_write(line.characters);
}

static void start_event(const char *name, const char *clip)
{
	kws_text_clear(&line);
	kws_text_add(&line, "{");
	kws_text_add_key(&line, "event");
	kws_text_add_quoted(&line, name);
	if (clip != NULL) {
		kws_text_add_key(&line, "clip");
		kws_text_add_quoted(&line, clip);
	}
}

static void add_string(const char *name, const char *value)
{
	kws_text_add_key(&line, name);
	kws_text_add_quoted(&line, value);
}

static void add_count(const char *name, uint32_t value)
{
	kws_text_add_key(&line, name);
	kws_text_add_number(&line, value);
}

static void add_times(const struct kws_times *times)
{
	if (times->count > 0) {
		add_count("us_min", times->least);
		add_count("us_mean", kws_times_mean(times));
		add_count("us_max", times->most);
	}
}

static void end_event(void)
{
	kws_text_add(&line, "}");
	print_line();
}

/** A time in seconds with two decimals. */
static void add_seconds(uint32_t milliseconds)
{
	uint32_t hundredths = milliseconds / 10 % 100;

	kws_text_add_number(&line, milliseconds / 1000);
	kws_text_add(&line, hundredths < 10 ? ".0" : ".");
	kws_text_add_number(&line, hundredths);
	kws_text_add(&line, " s");
}

void kws_report_model(void)
{
	kws_text_clear(&line);
	kws_text_add(&line, "kws on " KWS_CORE ": ");
	kws_text_add_number(&line, KWS_CONSTANT_BYTES);
	kws_text_add(&line, " bytes of constants, ");
	kws_text_add_number(&line, KWS_ARENA_BYTES);
	kws_text_add(&line, " bytes of arena");
	print_line();
	start_event("model", NULL);
	add_string("name", "kws");
	add_string("core", KWS_CORE);
	add_count("arena_bytes", KWS_ARENA_BYTES);
	add_count("constant_bytes", KWS_CONSTANT_BYTES);
	end_event();
}

void kws_report_failure(const char *clip, const char *reason)
{
	kws_text_clear(&line);
	kws_text_add(&line, clip);
	kws_text_add(&line, ": ");
	kws_text_add(&line, reason);
	print_line();
	start_event("error", clip);
	add_string("reason", reason);
	end_event();
}

void kws_report_keyword(const char *clip, const struct kws_detection *detection,
			const uint32_t *microseconds)
{
	const char *keyword = kws_labels[detection->label];

	kws_text_clear(&line);
	kws_text_add(&line, clip);
	kws_text_pad(&line, 28);
	kws_text_add(&line, "  ");
	add_seconds(detection->time_ms);
	kws_text_pad(&line, 40);
	kws_text_add(&line, keyword);
	kws_text_pad(&line, 47);
	kws_text_add_number(&line, detection->percent);
	kws_text_add(&line, " %");
	print_line();
	start_event("keyword", clip);
	add_string("keyword", keyword);
	add_count("score", detection->percent);
	add_count("time_ms", detection->time_ms);
	if (microseconds != NULL) {
		add_count("us", *microseconds);
	}
	add_count("arena_bytes", KWS_ARENA_BYTES);
	end_event();
}

void kws_report_clip(const char *clip, const struct kws_heard *heard)
{
	if (heard->keywords == 0) {
		kws_text_clear(&line);
		kws_text_add(&line, clip);
		kws_text_pad(&line, 40);
		kws_text_add(&line, "no keyword");
		print_line();
	}
	start_event("clip", clip);
	add_count("keywords", heard->keywords);
	add_count("milliseconds", heard->milliseconds);
	add_count("inferences", heard->inferences);
	add_times(&heard->times);
	end_event();
}

static void print_summary(const struct kws_heard *heard)
{
	const struct kws_times *times = &heard->times;

	kws_text_clear(&line);
	kws_text_add_number(&line, heard->keywords);
	kws_text_add(&line, " keywords in ");
	kws_text_add_number(&line, heard->clips);
	kws_text_add(&line, " clips, ");
	add_seconds(heard->milliseconds);
	kws_text_add(&line, " of sound, ");
	kws_text_add_number(&line, heard->inferences);
	kws_text_add(&line, " inferences");
	if (times->count > 0) {
		kws_text_add(&line, " of ");
		kws_text_add_number(&line, kws_times_mean(times));
		kws_text_add(&line, " us (");
		kws_text_add_number(&line, times->least);
		kws_text_add(&line, " to ");
		kws_text_add_number(&line, times->most);
		kws_text_add(&line, ")");
	}
	print_line();
}

void kws_report_summary(const struct kws_heard *heard)
{
	print_summary(heard);
	start_event("summary", NULL);
	add_count("clips", heard->clips);
	add_count("keywords", heard->keywords);
	add_count("milliseconds", heard->milliseconds);
	add_count("inferences", heard->inferences);
	add_count("failures", heard->failures);
	add_times(&heard->times);
	add_count("arena_bytes", KWS_ARENA_BYTES);
	end_event();
}
