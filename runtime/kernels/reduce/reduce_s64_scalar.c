/* SPDX-License-Identifier: Apache-2.0 */
#include "define_reduce.h"

PETITE_DEFINE_EXTREMES(s64, s64, PETITE_ABOVE, PETITE_BELOW)
PETITE_DEFINE_TOTALS(s64, s64)
