/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <stdbool.h>
#include <stddef.h>

#include <arm_mve.h>

#include "../common/requantize_mve.h"
#include "../common/window.h"
#include "plain_depthwise_conv2d_s8_mve.h"

/** Channels that are computed at once: as 16-bit products of even and of odd ones. */
#define BLOCK 8

/** Four of the eight channels: every second one. */
struct half {
	int32x4_t bias;
	int32x4_t multiplier;
	int32x4_t left;
	int32x4_t right;
};

struct work {
	const struct petite_depthwise_conv2d_s8 *p;
	struct half even;
	struct half odd;
	/** The block's channels that there are, and the inputs that they read, from the first
	 * one's.
	 */
	mve_pred16_t some;
	uint16x8_t inputs;
	/** Whether channels share inputs, and how far taps are apart in these. */
	bool is_shared;
	int32_t step;
	const int8_t *weights;
	const int8_t *image;
};

/** Channels first, first + 2, ...: `count` of them. */
static struct half half_of(const struct petite_depthwise_conv2d_s8 *p, int32_t first, int32_t count)
{
	const mve_pred16_t some = vctp32q((uint32_t)count);
	const uint32x4_t every_second = vidupq_n_u32(0, 2);
	const int32x4_t zero = vdupq_n_s32(0);
	struct half half = {.bias = zero, .multiplier = zero, .left = zero, .right = zero};
	int32x4_t shift;

	if (count <= 0) {
		return half;
	}
	if (p->bias != NULL) {
		half.bias = vldrwq_gather_shifted_offset_z_s32(p->bias + first, every_second, some);
	}
	half.multiplier =
		vldrwq_gather_shifted_offset_z_s32(p->multiplier + first, every_second, some);
	shift = vldrbq_gather_offset_z_s32(p->shift + first, every_second, some);
	half.left = vmaxq_s32(shift, zero);
	half.right = vminq_s32(shift, zero);
	return half;
}

static int32x4_t scale(const struct petite_depthwise_conv2d_s8 *p, const struct half *half,
		       int32x4_t sum)
{
	int32x4_t value = vshlq_s32(sum, half->left);

	value = petite_requantize_mve(value, half->multiplier, half->right);
	value = vaddq_n_s32(value, p->output_offset);
	value = vmaxq_s32(value, vdupq_n_s32(p->activation_min));
	return vminq_s32(value, vdupq_n_s32(p->activation_max));
}

/** Sums of even and of odd channels. */
struct sums {
	int32x4_t even;
	int32x4_t odd;
};

/** The part of its window that a pixel sees, as pointers run over it. */
struct part {
	const int8_t *input;
	const int8_t *weights;
	int32_t rows;
	/** Taps in a row. */
	int32_t taps;
	/** From behind a row to the next one. */
	int32_t next_input;
	int32_t next_weights;
};

/* clang-format off */
/* One product for each channel and tap. Compilers make half as many instructions again. */
#define ADD_PART(ADDRESS)                                                                          \
	__asm__("	vmsr p0, %[some]\n"                                                        \
		"1:	wls lr, %[taps], 3f\n"                                                     \
		"2:	vpstt\n"                                                                   \
		"	vldrbt.s16 q0, " ADDRESS "\n"                                              \
		"	vldrbt.s16 q1, [%[weights]]\n"                                             \
		"	add %[input], %[step]\n"                                                   \
		"	vadd.i16 q0, q0, %[offset]\n"                                              \
		"	add %[weights], %[channels]\n"                                             \
		"	vmullb.s16 q2, q0, q1\n"                                                   \
		"	vmullt.s16 q0, q0, q1\n"                                                   \
		"	vadd.i32 %q[even], %q[even], q2\n"                                         \
		"	vadd.i32 %q[odd], %q[odd], q0\n"                                           \
		"	le lr, 2b\n"                                                               \
		"3:	add %[input], %[next_input]\n"                                             \
		"	add %[weights], %[next_weights]\n"                                         \
		"	subs %[rows], #1\n"                                                        \
		"	bgt 1b\n"                                                                  \
		: [even] "+w"(sums->even), [odd] "+w"(sums->odd), [input] "+l"(part.input),        \
		  [weights] "+l"(part.weights), [rows] "+r"(part.rows)                             \
		: [taps] "r"(part.taps), [next_input] "r"(part.next_input),                        \
		  [next_weights] "r"(part.next_weights), [step] "r"(w->step),                      \
		  [channels] "r"(w->p->output_c), [offset] "r"(w->p->input_offset),                \
		  [some] "r"(w->some), [lanes] "w"(w->inputs)                                      \
		: "lr", "q0", "q1", "q2", "cc", "memory")
/* clang-format on */

/** Not to be inlined: the loops take all registers but those of the call. */
__attribute__((noinline)) static void add_part(const struct work *w, struct part part,
					       struct sums *sums)
{
	if (w->is_shared) {
		ADD_PART("[%[input], %q[lanes]]");
	} else {
		ADD_PART("[%[input]]");
	}
}

/** The block's channels of a pixel whose windows are cut like this. */
static void write_pixel(const struct work *w, struct petite_window rows,
			struct petite_window columns, int8_t *output)
{
	const struct petite_depthwise_conv2d_s8 *p = w->p;
	const int32_t taps = columns.end - columns.first;
	struct part part = {
		.input = w->image + (rows.start * p->input_w + columns.start) * p->input_c,
		.weights = w->weights + (rows.first * p->kernel_w + columns.first) * p->output_c,
		.rows = rows.end - rows.first,
		.taps = taps,
		.next_input = p->dilation_h * p->input_w * p->input_c - taps * w->step,
		.next_weights = (p->kernel_w - taps) * p->output_c,
	};
	struct sums sums = {w->even.bias, w->odd.bias};
	int16x8_t packed = vdupq_n_s16(0);

	if (part.rows > 0) {
		add_part(w, part, &sums);
	}
	packed = vmovnbq_s32(packed, scale(p, &w->even, sums.even));
	packed = vmovntq_s32(packed, scale(p, &w->odd, sums.odd));
	vstrbq_p_s16(output, packed, w->some);
}

/** One image, for one block. */
static void convolve_image(const struct work *w, int8_t *output)
{
	const struct petite_depthwise_conv2d_s8 *p = w->p;
	const int32_t reach = (p->kernel_w - 1) * p->dilation_w;

	for (int32_t y = 0; y < p->output_h; y++) {
		struct petite_window rows = petite_clip_window(
			y * p->stride_h - p->pad_top, p->dilation_h, p->kernel_h, p->input_h);
		int32_t origin = -p->pad_left;

		for (int32_t x = 0; x < p->output_w; x++) {
			struct petite_window columns = {0, p->kernel_w, origin};

			if (origin < 0 || origin + reach >= p->input_w) {
				columns = petite_clip_window(origin, p->dilation_w, p->kernel_w,
							     p->input_w);
			}
			write_pixel(w, rows, columns, output);
			output += p->output_c;
			origin += p->stride_w;
		}
	}
}

/** The inputs of channels `first` to `first` + 7, from that of the first one. */
static uint16x8_t inputs_of(const struct petite_depthwise_conv2d_s8 *p, int32_t first)
{
	const int32_t outputs_per_input = p->output_c / p->input_c;
	uint16_t inputs[BLOCK];

	for (int32_t i = 0; i < BLOCK; i++) {
		inputs[i] = (uint16_t)((first + i) / outputs_per_input - first / outputs_per_input);
	}
	return vldrhq_u16(inputs);
}

enum petite_status petite_plain_depthwise_conv2d_s8_mve(const void *params)
{
	const struct petite_depthwise_conv2d_s8 *p = params;
	const int32_t outputs_per_input = p->output_c / p->input_c;
	const int32_t image = p->input_h * p->input_w * p->input_c;
	const int32_t pixels = p->output_h * p->output_w;
	struct work w = {
		.p = p,
		.is_shared = outputs_per_input > 1,
		.step = p->dilation_w * p->input_c,
	};

	for (int32_t first = 0; first < p->output_c; first += BLOCK) {
		int32_t left = p->output_c - first < BLOCK ? p->output_c - first : BLOCK;

		w.some = vctp16q((uint32_t)left);
		w.even = half_of(p, first, (left + 1) / 2);
		w.odd = half_of(p, first + 1, left / 2);
		w.inputs = inputs_of(p, first);
		w.weights = p->weights + first;
		for (int32_t b = 0; b < p->batches; b++) {
			w.image = p->input + b * image + first / outputs_per_input;
			convolve_image(&w, p->output + b * pixels * p->output_c + first);
		}
	}
	return PETITE_OK;
}

#endif
