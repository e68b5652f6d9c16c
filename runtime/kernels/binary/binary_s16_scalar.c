/* SPDX-License-Identifier: Apache-2.0 */
#define PETITE_INTEGER s16
#include "binary_integer.h"
