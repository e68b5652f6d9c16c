/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Listens to WAV files, wherever their bytes come from, and says what it heard (report.h).
 */
#ifndef KWS_APP_H
#define KWS_APP_H

#include <stdbool.h>

#include "byte_source.h"

/** Silence that follows each file, in hops of 20 ms: a word at its end is still heard out. */
#define KWS_TAIL_HOPS 32

/** @brief Say what model this is, and begin to count. */
void kws_app_start(void);

/**
 * @brief Listen to one WAV file.
 *
 * @param clip What to call it.
 * @return false, with one line of why, where that fails.
 */
bool kws_app_play(const char *clip, const struct kws_byte_source *bytes);

/** @brief Count a file that could not even be opened, and say why. Returns false. */
bool kws_app_fail(const char *clip, const char *reason);

/** @brief Print the totals. Returns the exit status: 0, or 1 where a file failed. */
int kws_app_finish(void);

#endif /* KWS_APP_H */
