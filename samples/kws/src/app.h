/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Listens to WAV files and says what it heard.
 *
 * Everything is printed twice: a line to read, and a line of JSON that starts with a brace.
 */
#ifndef KWS_APP_H
#define KWS_APP_H

#include <stdbool.h>

#include "audio_source.h"

/** Silence that follows each file, in hops of 20 ms: a word at its end is still heard out. */
#define KWS_TAIL_HOPS 32

/** @brief Listen to one WAV file. Returns false, with one line of why, where that fails. */
bool kws_app_play(const char *path);

/**
 * @brief Listen to each WAV file of a list: a text file with one path a line, relative to the
 *        current directory.
 */
bool kws_app_play_list(const char *path);

/** @brief Print the totals. Returns the exit status: 0, or 1 where a file failed. */
int kws_app_finish(void);

#endif /* KWS_APP_H */
