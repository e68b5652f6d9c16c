/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "mul_s64.h"

PETITE_BINARY_KERNEL(mul_s64, int64_t, (int64_t)((uint64_t)a * (uint64_t)b))
