/* SPDX-License-Identifier: Apache-2.0 */
#include "define_matmul.h"

PETITE_DEFINE_MATMUL(s8, petite_type_s8, petite_wide_s8)
