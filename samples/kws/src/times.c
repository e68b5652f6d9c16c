/* SPDX-License-Identifier: Apache-2.0 */
#include "times.h"

bool kws_clock_is_fine(uint32_t ticks_per_second)
{
	return ticks_per_second >= 1000;
}

uint32_t kws_microseconds(uint32_t ticks, uint32_t ticks_per_second)
{
	uint64_t microseconds = (uint64_t)ticks * 1000000 / ticks_per_second;

	return microseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)microseconds;
}

void kws_times_add(struct kws_times *times, uint32_t microseconds)
{
	const struct kws_times one = {1, microseconds, microseconds, microseconds};

	kws_times_merge(times, &one);
}

void kws_times_merge(struct kws_times *times, const struct kws_times *more)
{
	if (more->count == 0) {
		return;
	}
	if (times->count == 0 || more->least < times->least) {
		times->least = more->least;
	}
	if (more->most > times->most) {
		times->most = more->most;
	}
	times->count += more->count;
	times->sum += more->sum;
}

uint32_t kws_times_mean(const struct kws_times *times)
{
	return times->count == 0 ? 0 : (uint32_t)(times->sum / times->count);
}
