/* SPDX-License-Identifier: Apache-2.0 */
/* The shared requantisation, made callable like a kernel so that its full range can be tested. */
#ifndef PROBES_REQUANTIZE_S32_H
#define PROBES_REQUANTIZE_S32_H

#include <stdint.h>

#include <petite/status.h>

struct petite_requantize_s32 {
	const int32_t *value;
	const int32_t *multiplier;
	const int32_t *shift;
	int32_t *output;
	int32_t count;
};

enum petite_status petite_requantize_s32_scalar(const void *params);

#endif /* PROBES_REQUANTIZE_S32_H */
