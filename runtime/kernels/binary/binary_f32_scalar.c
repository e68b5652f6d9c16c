/* SPDX-License-Identifier: Apache-2.0 */
#include "define_binary.h"

#define DEFINE(function, result) PETITE_DEFINE_BINARY(function, f32, float, float, result)

DEFINE(add, a + b)
DEFINE(sub, a - b)
DEFINE(mul, a *b)
DEFINE(div, a / b)
DEFINE(min, a != a || a < b ? a : b)
DEFINE(max, a != a || a > b ? a : b)
PETITE_DEFINE_COMPARISONS(f32_bool, float)
