/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "div_f32.h"

PETITE_BINARY_KERNEL(div_f32, float, a / b)
