/* SPDX-License-Identifier: Apache-2.0 */
#include "define_topk.h"

PETITE_DEFINE_TOPK(s32_s64, petite_type_s32, PETITE_GREATER)
