/* SPDX-License-Identifier: Apache-2.0 */
#include "define_binary.h"

PETITE_DEFINE_BITS(bool)
PETITE_DEFINE_BINARY(shift_left, bool, petite_type_bool, petite_type_bool, a | (a & b))
PETITE_DEFINE_BINARY(shift_right, bool, petite_type_bool, petite_type_bool, a &(b == 0))
PETITE_DEFINE_COMPARISONS(bool, petite_type_bool)
