/* SPDX-License-Identifier: Apache-2.0 */
#include "define_reduce.h"

/** The first NaN replaces every number, and nothing replaces it. */
#define ABOVE(x, y) ((x) > (y) || ((x) != (x) && (y) == (y)))
#define BELOW(x, y) ((x) < (y) || ((x) != (x) && (y) == (y)))

PETITE_DEFINE_EXTREMES(f32, f32_s64, ABOVE, BELOW)

PETITE_DEFINE_FOLD(sum, float, float, s += x)
PETITE_DEFINE_FOLD(product, float, float, s *= x)

struct squares {
	float mean;
	float sum;
};

PETITE_DEFINE_FOLD(sum_squares, float, struct squares, s.sum += (x - s.mean) * (x - s.mean))

static float variance(const struct petite_reduce *p, const float *input)
{
	int32_t count = petite_row_count(p->reduce_dims) * p->reduce_dims[PETITE_OUTER_RANK];
	struct squares start = {.mean = sum(p, input, 0.0f) / (float)count, .sum = 0.0f};

	return sum_squares(p, input, start).sum / p->divisor;
}

PETITE_DEFINE_REDUCE(sum, f32, float, float, sum(p, input, 0.0f))
PETITE_DEFINE_REDUCE(prod, f32, float, float, product(p, input, 1.0f))
PETITE_DEFINE_REDUCE(mean, f32, float, float, sum(p, input, 0.0f) / p->divisor)
PETITE_DEFINE_REDUCE(var, f32, float, float, variance(p, input))
