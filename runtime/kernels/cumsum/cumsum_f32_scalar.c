/* SPDX-License-Identifier: Apache-2.0 */
#include "define_cumsum.h"

PETITE_DEFINE_CUMSUM(f32, float, float)
