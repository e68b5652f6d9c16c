/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "add_s64.h"

PETITE_BINARY_KERNEL(add_s64, int64_t, (int64_t)((uint64_t)a + (uint64_t)p->alpha * (uint64_t)b))
