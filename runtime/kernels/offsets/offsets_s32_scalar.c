/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "define_offsets.h"

PETITE_DEFINE_OFFSETS(s32, int32_t)
