/* SPDX-License-Identifier: Apache-2.0 */
#include "define_unary.h"

PETITE_DEFINE_UNARY(not, bool, petite_type_bool, petite_type_bool, x ^ 1u)
PETITE_DEFINE_CAST(bool, s8)
PETITE_DEFINE_CAST(bool, s16)
PETITE_DEFINE_CAST(bool, s32)
PETITE_DEFINE_CAST(bool, s64)
PETITE_DEFINE_CAST(bool, u8)
PETITE_DEFINE_CAST(bool, f32)
