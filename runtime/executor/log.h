/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the executor says. Without PETITE_LOG nothing is left of it: no code, no text, and no need
 * of a petite_platform_log().
 */
#ifndef PETITE_EXECUTOR_LOG_H
#define PETITE_EXECUTOR_LOG_H

#include <petite/config.h>

#if PETITE_LOG
#include <petite/platform.h>

#define PETITE_SAY(level, text, plan, value)                                                       \
	petite_platform_log(level, text, plan, (int32_t)(value))
#else
/* The arguments count as used, but sizeof does not compute them. */
#define PETITE_SAY(level, text, plan, value) ((void)sizeof(plan), (void)sizeof(value))
#endif

#define PETITE_SAY_ERROR(text, plan, value) PETITE_SAY(PETITE_LOG_ERROR, text, plan, value)
#define PETITE_SAY_DEBUG(text, plan, value) PETITE_SAY(PETITE_LOG_DEBUG, text, plan, value)

#endif /* PETITE_EXECUTOR_LOG_H */
