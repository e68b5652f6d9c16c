/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "multiply_cells_s8_mve.h"
#include "requantize_mve.h"

/** Channels that are computed at once. */
#define BLOCK 4

/** Sums over the windows of four channels. */
static inline int32x4_t multiply(const int8_t *window, int32_t plane, const int8_t *weights,
				 int32_t chunks)
{
	const int8_t *second = window + plane;
	const int8_t *third = second + plane;
	const int8_t *fourth = third + plane;
	int32_t a = 0;
	int32_t b = 0;
	int32_t c = 0;
	int32_t d = 0;
	int32x4_t sums;

	__asm__ volatile("	dls lr, %[chunks]\n"
			 "1:	vldrb.u8 q0, [%[w0]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[a], q0, q1\n"
			 "	vldrb.u8 q0, [%[w1]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[b], q0, q1\n"
			 "	vldrb.u8 q0, [%[w2]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[c], q0, q1\n"
			 "	vldrb.u8 q0, [%[w3]], #16\n"
			 "	vldrb.u8 q1, [%[weights]], #16\n"
			 "	vmladava.s8 %[d], q0, q1\n"
			 "	le lr, 1b\n"
			 "	vmov %q[sums][2], %q[sums][0], %[a], %[c]\n"
			 "	vmov %q[sums][3], %q[sums][1], %[b], %[d]\n"
			 : [w0] "+r"(window), [w1] "+r"(second), [w2] "+r"(third),
			   [w3] "+r"(fourth), [weights] "+r"(weights), [a] "+Te"(a), [b] "+Te"(b),
			   [c] "+Te"(c), [d] "+Te"(d), [sums] "=w"(sums)
			 : [chunks] "r"(chunks)
			 : "lr", "q0", "q1", "memory");
	return sums;
}

/** Four channels of so many pixels, `step` bytes apart. */
static void multiply_block(const struct petite_multiply_cells *cells, const int8_t *window,
			   int8_t *output, int32_t count, int32_t window_step, int32_t output_step)
{
	const int32_t *scales = cells->scales;
	const int32x4_t bias = vldrwq_s32(scales);
	const int32x4_t multiplier = vldrwq_s32(scales + BLOCK);
	const int32x4_t shift = vldrbq_s32((const int8_t *)(scales + 2 * BLOCK));

	for (; count > 0; count--) {
		int32x4_t sums = multiply(window, cells->plane, cells->weights, cells->chunks);

		sums = petite_requantize_mve(vaddq_s32(sums, bias), multiplier, shift);
		sums = vaddq_n_s32(sums, cells->output_offset);
		sums = vmaxq_s32(sums, vdupq_n_s32(cells->activation_min));
		sums = vminq_s32(sums, vdupq_n_s32(cells->activation_max));
		vstrbq_s32(output, sums);
		window += window_step;
		output += output_step;
	}
}

/** All rows of a block; rows of one pixel are walked downwards. */
static void multiply_rows(const struct petite_multiply_cells *cells)
{
	const int8_t *window = cells->cells;
	int8_t *output = cells->upper;

	if (cells->pixels == 1) {
		multiply_block(cells, window, output, cells->rows, cells->window_row,
			       cells->output_row);
		return;
	}
	for (int32_t row = cells->rows; row > 0; row--) {
		multiply_block(cells, window, output, cells->pixels, cells->window,
			       cells->output_c);
		window += cells->window_row;
		output += cells->output_row;
	}
}

void petite_multiply_windows_s8_mve(struct petite_multiply_cells *cells)
{
	for (; cells->blocks > 0; cells->blocks--) {
		multiply_rows(cells);
		cells->cells += BLOCK * cells->plane;
		cells->weights += cells->chunks * BLOCK * 16;
		cells->scales += 2 * BLOCK + 1;
		cells->upper += BLOCK;
	}
}

#endif
