/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What samples, the runner and the executor's log ask of the system they run on.
 *
 * A port is one file that defines these functions; runtime/platform/template is there to copy. The
 * kernels call none of them, and the executor only petite_platform_log(), where the runtime is
 * compiled with PETITE_LOG (see config.h).
 */
#ifndef PETITE_PLATFORM_H
#define PETITE_PLATFORM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Write text, which ends with a zero byte, to where a person reads it. */
void petite_platform_write(const char *text);

/** A clock that counts up and wraps to zero after its largest value. */
uint32_t petite_platform_ticks(void);

/** How many ticks of petite_platform_ticks() make a second. */
uint32_t petite_platform_ticks_per_second(void);

/** How much a message of the log matters. */
enum petite_log_level {
	/** A call was refused, or failed. */
	PETITE_LOG_ERROR = 1,
	/** What goes on in a call that is well. */
	PETITE_LOG_DEBUG = 2,
};

/**
 * @brief Report what the executor did, or drop it.
 *
 * Called from within petite_run() and its like, so it runs where they were called: in a thread, or
 * in an interrupt. It must not call them.
 *
 * @param level  How much it matters.
 * @param text   What it is about: a few words that end by saying what @p value is, such as
 *               "failed in step".
 * @param plan   The plan (struct petite_plan), to tell models apart by their addresses; or NULL.
 * @param value  The number that belongs to the text.
 */
void petite_platform_log(enum petite_log_level level, const char *text, const void *plan,
			 int32_t value);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_PLATFORM_H */
