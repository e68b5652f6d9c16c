/* SPDX-License-Identifier: Apache-2.0 */
#include "define_topk.h"

/** NaN is larger than all other numbers. */
#define GREATER(a, b) (((a) != (a) && (b) == (b)) || (a) > (b))

PETITE_DEFINE_TOPK(f32_s64, petite_type_f32, GREATER)
