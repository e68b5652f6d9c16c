/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "mul_f32.h"

PETITE_BINARY_KERNEL(mul_f32, float, (a * b))
