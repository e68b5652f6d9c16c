/* SPDX-License-Identifier: Apache-2.0 */
#include "define_matmul.h"

PETITE_DEFINE_MATMUL(s64, petite_type_s64, petite_wide_s64)
