/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "mul_s32.h"

PETITE_BINARY_KERNEL(mul_s32, int32_t, (int32_t)((uint32_t)a * (uint32_t)b))
