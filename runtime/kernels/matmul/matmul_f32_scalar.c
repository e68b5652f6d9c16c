/* SPDX-License-Identifier: Apache-2.0 */
#include "define_matmul.h"

PETITE_DEFINE_MATMUL(f32, float, float)
