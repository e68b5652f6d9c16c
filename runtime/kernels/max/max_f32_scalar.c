/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/binary.h"
#include "max_f32.h"

/** A NaN wins over any number, the first one over the second. */
static float larger(float a, float b)
{
	if (a != a) {
		return a;
	}
	return b != b || b > a ? b : a;
}

PETITE_BINARY_KERNEL(max_f32, float, larger(a, b))
