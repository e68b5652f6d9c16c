/* SPDX-License-Identifier: Apache-2.0 */
#include "define_matmul.h"

PETITE_DEFINE_MATMUL(s32, petite_type_s32, petite_wide_s32)
