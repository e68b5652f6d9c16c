/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "min_s8.h"

PETITE_BINARY_KERNEL(min_s8, int8_t, b < a ? b : a)
