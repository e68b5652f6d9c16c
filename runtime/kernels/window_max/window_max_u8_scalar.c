/* SPDX-License-Identifier: Apache-2.0 */
#include "define_window_max.h"

PETITE_DEFINE_WINDOW_MAX(u8, u8_s64)
