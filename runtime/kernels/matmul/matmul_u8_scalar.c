/* SPDX-License-Identifier: Apache-2.0 */
#include "define_matmul.h"

PETITE_DEFINE_MATMUL(u8, petite_type_u8, petite_wide_u8)
