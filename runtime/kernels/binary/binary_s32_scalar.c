/* SPDX-License-Identifier: Apache-2.0 */
#define PETITE_INTEGER s32
#include "binary_integer.h"
