/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Runs methods and measures each step.
 */
#ifndef PETITE_PROFILE_H
#define PETITE_PROFILE_H

#include <stdint.h>

#include <petite/plan.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A clock of 32 bits that counts up and wraps to zero: a cycle counter, for example. Differences
 * of a clock with fewer bits are wrong where it wraps.
 */
typedef uint32_t (*petite_ticks)(void);

/**
 * @brief Do what petite_run() does, and note how long each step took.
 *
 * The clock is read before the first step and after each step, so a step's ticks hold one reading
 * of the clock, and all ticks together are the time of all steps. Giving the states their initial
 * values, which only a first call does, belongs to no step. A step that takes 2^32 ticks or more
 * looks shorter by a multiple of that.
 *
 * @param plan        The method.
 * @param ticks       The clock.
 * @param step_ticks  [capacity] Ticks of each step, in the order of the plan; 0 for a step of a
 *                    branch that was not taken. After a failure the entries of steps that were
 *                    not reached keep what they held.
 * @param capacity    At least the plan's step_count (the generated header's NAME_STEP_COUNT).
 *
 * @retval PETITE_ERR_ARGUMENT  A pointer is NULL, or @p capacity is too small. The call changed
 *                              nothing.
 * @return Otherwise what petite_run() returns.
 */
enum petite_status petite_run_profiled(const struct petite_plan *plan, petite_ticks ticks,
				       uint32_t *step_ticks, uint32_t capacity);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_PROFILE_H */
