/* SPDX-License-Identifier: Apache-2.0 */
#include "play_files.h"

#include <stdint.h>

#include "app.h"
#include "files.h"

#define PATH_SIZE 160

bool kws_play_file(const char *path)
{
	struct kws_file file;
	const struct kws_byte_source bytes = {.read = kws_file_read, .context = &file};
	bool done;

	if (!kws_file_open(&file, path)) {
		return kws_app_fail(path, "cannot be opened");
	}
	done = kws_app_play(path, &bytes);
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

bool kws_play_list(const char *path)
{
	struct kws_file list;
	char clip[PATH_SIZE];
	bool all = true;

	if (!kws_file_open(&list, path)) {
		return kws_app_fail(path, "cannot be opened");
	}
	while (read_path(&list, clip)) {
		if (clip[0] != '\0') {
			all = kws_play_file(clip) && all;
		}
	}
	kws_file_close(&list);
	return all;
}
