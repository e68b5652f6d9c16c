/* SPDX-License-Identifier: Apache-2.0 */
#include "define_binary.h"

PETITE_DEFINE_BITS(bool)
PETITE_DEFINE_COMPARISONS(bool, petite_type_bool)
