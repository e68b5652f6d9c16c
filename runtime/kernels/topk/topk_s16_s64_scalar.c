/* SPDX-License-Identifier: Apache-2.0 */
#include "define_topk.h"

PETITE_DEFINE_TOPK(s16_s64, petite_type_s16, PETITE_GREATER)
