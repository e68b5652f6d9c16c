/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "define_extreme_s8_dsp.h"

PETITE_DEFINE_EXTREME_S8_DSP(max, petite_larger_s8_dsp)

#endif
