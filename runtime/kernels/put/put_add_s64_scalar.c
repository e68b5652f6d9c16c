/* SPDX-License-Identifier: Apache-2.0 */
#include "define_put.h"

PETITE_DEFINE_PUT_ADD_INTEGER(s64)
