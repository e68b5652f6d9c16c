/* SPDX-License-Identifier: Apache-2.0 */
#include "define_unary.h"

PETITE_DEFINE_UNARY_INTEGER(s64)
