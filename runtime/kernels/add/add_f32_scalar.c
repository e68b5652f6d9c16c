/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "add_f32.h"

PETITE_BINARY_KERNEL(add_f32, float, a + p->alpha * b)
