/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"

#include <zephyr/toolchain.h>

#include <petite/loader.h>

#define PROGRAM(name) const struct bytes name = {name##_data, sizeof(name##_data)}

static const uint8_t attention_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "attention.pte.inc"
};
PROGRAM(attention);

static const uint8_t erfinv_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "erfinv.pte.inc"
};
PROGRAM(erfinv);

static const uint8_t methods_conv_and_float_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "methods_conv_and_float.pte.inc"
};
PROGRAM(methods_conv_and_float);

static const uint8_t residual_downsample_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "residual_downsample.pte.inc"
};
PROGRAM(residual_downsample);

static const uint8_t separable_block_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "separable_block.pte.inc"
};
PROGRAM(separable_block);

static const uint8_t squeeze_excite_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "squeeze_excite.pte.inc"
};
PROGRAM(squeeze_excite);

static const uint8_t state_recurrent_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "state_recurrent.pte.inc"
};
PROGRAM(state_recurrent);

static const uint8_t two_inputs_data[] __aligned(PETITE_LOAD_ALIGNMENT) = {
#include "two_inputs.pte.inc"
};
PROGRAM(two_inputs);
