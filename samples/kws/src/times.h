/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief How long inferences take.
 */
#ifndef KWS_TIMES_H
#define KWS_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Times in microseconds. Starts with all zero. */
struct kws_times {
	uint32_t count;
	uint32_t least;
	uint32_t most;
	uint64_t sum;
};

/** @brief Whether the platform's clock is fine enough to time one inference: 1 ms or better. */
bool kws_clock_is_fine(uint32_t ticks_per_second);

/** @brief Ticks to microseconds, rounded down; the largest number where they are more. */
uint32_t kws_microseconds(uint32_t ticks, uint32_t ticks_per_second);

/** @brief Take one time. */
void kws_times_add(struct kws_times *times, uint32_t microseconds);

/** @brief Take all times of @p more. */
void kws_times_merge(struct kws_times *times, const struct kws_times *more);

/** @brief The mean, rounded down; 0 where there are none. */
uint32_t kws_times_mean(const struct kws_times *times);

#ifdef __cplusplus
}
#endif

#endif /* KWS_TIMES_H */
