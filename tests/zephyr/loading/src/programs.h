/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The .pte files of tests/zephyr/models, as they are.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

/** A file. */
struct bytes {
	const uint8_t *data;
	uint32_t size;
};

extern const struct bytes attention;
extern const struct bytes erfinv;
extern const struct bytes methods_conv_and_float;
extern const struct bytes residual_downsample;
extern const struct bytes separable_block;
extern const struct bytes squeeze_excite;
extern const struct bytes state_recurrent;
extern const struct bytes two_inputs;

#endif /* PROGRAMS_H */
