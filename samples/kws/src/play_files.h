/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Listens to the files of a host or of an emulator (files.h).
 */
#ifndef KWS_PLAY_FILES_H
#define KWS_PLAY_FILES_H

#include <stdbool.h>

/** @brief Listen to one WAV file. Returns false, with one line of why, where that fails. */
bool kws_play_file(const char *path);

/**
 * @brief Listen to each WAV file of a list: a text file with one path a line, relative to the
 *        current directory.
 */
bool kws_play_list(const char *path);

#endif /* KWS_PLAY_FILES_H */
