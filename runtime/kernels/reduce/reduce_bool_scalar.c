/* SPDX-License-Identifier: Apache-2.0 */
#include "define_reduce.h"

PETITE_DEFINE_EXTREMES(bool, bool_s64, PETITE_ABOVE, PETITE_BELOW)
PETITE_DEFINE_TOTALS(bool, bool_s64)
