/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "define_extreme_s8_mve.h"

PETITE_DEFINE_EXTREME_S8_MVE(min, "vmin.s8")

#endif
