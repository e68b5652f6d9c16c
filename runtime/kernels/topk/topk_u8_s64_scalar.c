/* SPDX-License-Identifier: Apache-2.0 */
#include "define_topk.h"

PETITE_DEFINE_TOPK(u8_s64, petite_type_u8, PETITE_GREATER)
