/* SPDX-License-Identifier: Apache-2.0 */
#define PETITE_INTEGER u8
#include "binary_integer.h"
