/* SPDX-License-Identifier: Apache-2.0 */
#include "define_topk.h"

PETITE_DEFINE_TOPK(f32_s64, petite_type_f32, (a != a && b == b) || a > b)
