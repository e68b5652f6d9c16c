/* SPDX-License-Identifier: Apache-2.0 */
#include "define_cumsum.h"

PETITE_DEFINE_CUMSUM(s64, int64_t, uint64_t)
