/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <string.h>

#include <petite/platform.h>

#include "files.h"
#include "spotter.h"
#include "text.h"
#include "wav.h"

#define PATH_SIZE 160

static struct kws_spotter spotter;
static struct kws_text line;

static struct {
	uint32_t clips;
	uint32_t keywords;
	uint32_t inferences;
	uint32_t milliseconds;
	uint32_t failures;
} total;

static void print_line(void)
{
	kws_text_add(&line, "\n");
	petite_platform_write(line.characters);
}

static void start_event(const char *name, const char *path)
{
	kws_text_clear(&line);
	kws_text_add(&line, "{");
	kws_text_add_key(&line, "event");
	kws_text_add_quoted(&line, name);
	if (path != NULL) {
		kws_text_add_key(&line, "clip");
		kws_text_add_quoted(&line, path);
	}
}

static void add_count(const char *name, uint32_t value)
{
	kws_text_add_key(&line, name);
	kws_text_add_number(&line, value);
}

static void end_event(void)
{
	kws_text_add(&line, "}");
	print_line();
}

static bool fail(const char *path, const char *reason)
{
	total.failures++;
	kws_text_clear(&line);
	kws_text_add(&line, path);
	kws_text_add(&line, ": ");
	kws_text_add(&line, reason);
	print_line();
	start_event("error", path);
	kws_text_add_key(&line, "reason");
	kws_text_add_quoted(&line, reason);
	end_event();
	return false;
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

static void print_keyword(const char *path, const struct kws_detection *detection)
{
	const char *keyword = kws_labels[detection->label];

	kws_text_clear(&line);
	kws_text_add(&line, path);
	kws_text_pad(&line, 28);
	kws_text_add(&line, "  ");
	add_seconds(detection->time_ms);
	kws_text_pad(&line, 40);
	kws_text_add(&line, keyword);
	kws_text_pad(&line, 47);
	kws_text_add_number(&line, detection->percent);
	kws_text_add(&line, " %");
	print_line();
	start_event("keyword", path);
	kws_text_add_key(&line, "keyword");
	kws_text_add_quoted(&line, keyword);
	add_count("score", detection->percent);
	add_count("time_ms", detection->time_ms);
	end_event();
}

/** Listen to a source until it ends; false where the model fails. */
static bool listen(const char *path, const struct kws_audio_source *source, uint32_t *keywords)
{
	uint32_t tail = 0;

	kws_spotter_init(&spotter);
	while (tail < KWS_TAIL_HOPS) {
		int16_t hop[KWS_HOP];
		uint32_t count = source->read(source->context, hop, KWS_HOP);
		struct kws_detection detection;
		bool found;

		memset(hop + count, 0, (KWS_HOP - count) * sizeof(hop[0]));
		tail += count < KWS_HOP;
		if (kws_spotter_push(&spotter, hop, &found, &detection) != PETITE_OK) {
			return fail(path, "the model failed");
		}
		if (found) {
			print_keyword(path, &detection);
			(*keywords)++;
		}
	}
	return true;
}

static void count_clip(const char *path, uint32_t milliseconds, uint32_t keywords)
{
	total.clips++;
	total.keywords += keywords;
	total.milliseconds += milliseconds;
	total.inferences += spotter.inferences;
	if (keywords == 0) {
		kws_text_clear(&line);
		kws_text_add(&line, path);
		kws_text_pad(&line, 40);
		kws_text_add(&line, "no keyword");
		print_line();
	}
	start_event("clip", path);
	add_count("keywords", keywords);
	add_count("milliseconds", milliseconds);
	add_count("inferences", spotter.inferences);
	end_event();
}

static bool play_open(const char *path, struct kws_file *file)
{
	struct kws_byte_source bytes = {.read = kws_file_read, .context = file};
	struct kws_wav wav;
	struct kws_audio_source source = {.read = kws_wav_read, .context = &wav};
	uint32_t milliseconds, keywords = 0;
	const char *error = kws_wav_open(&wav, &bytes);

	if (error != NULL) {
		return fail(path, error);
	}
	milliseconds = wav.left / (2 * KWS_RATE / 1000);
	if (!listen(path, &source, &keywords)) {
		return false;
	}
	if (wav.left > 0) {
		return fail(path, "ends before the length that its header says");
	}
	count_clip(path, milliseconds, keywords);
	return true;
}

bool kws_app_play(const char *path)
{
	struct kws_file file;
	bool done;

	if (!kws_file_open(&file, path)) {
		return fail(path, "cannot be opened");
	}
	done = play_open(path, &file);
	kws_file_close(&file);
	return done;
}

/** Read one line of a list; false at its end. A path that does not fit is cut, and will fail. */
static bool read_path(struct kws_file *file, char path[PATH_SIZE])
{
	uint32_t length = 0;
	bool any = false;
	char character;

	while (kws_file_read(file, &character, 1) == 1) {
		any = true;
		if (character == '\n') {
			break;
		}
		if (length < PATH_SIZE - 1 && character != '\r') {
			path[length++] = character;
		}
	}
	path[length] = '\0';
	return any;
}

bool kws_app_play_list(const char *path)
{
	struct kws_file list;
	char clip[PATH_SIZE];
	bool all = true;

	if (!kws_file_open(&list, path)) {
		return fail(path, "cannot be opened");
	}
	while (read_path(&list, clip)) {
		if (clip[0] != '\0') {
			all = kws_app_play(clip) && all;
		}
	}
	kws_file_close(&list);
	return all;
}

int kws_app_finish(void)
{
	kws_text_clear(&line);
	kws_text_add_number(&line, total.keywords);
	kws_text_add(&line, " keywords in ");
	kws_text_add_number(&line, total.clips);
	kws_text_add(&line, " clips, ");
	add_seconds(total.milliseconds);
	kws_text_add(&line, " of sound, ");
	kws_text_add_number(&line, total.inferences);
	kws_text_add(&line, " inferences");
	print_line();
	start_event("summary", NULL);
	add_count("clips", total.clips);
	add_count("keywords", total.keywords);
	add_count("milliseconds", total.milliseconds);
	add_count("inferences", total.inferences);
	add_count("failures", total.failures);
	end_event();
	return total.failures > 0 ? 1 : 0;
}
