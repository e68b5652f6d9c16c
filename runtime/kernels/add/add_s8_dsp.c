/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include "../common/limit_s8_dsp.h"
#include "../common/requantize_s8_dsp.h"
#include "add_s8.h"

/** An input's scale in the form in which it is used. */
struct term {
	/** The offset, shifted as inputs are. */
	int32_t offset;
	int32_t multiplier;
	/** Not above zero. */
	int32_t shift;
	/** Half of what the shift divides by. */
	int32_t half;
};

static struct term term_of(int32_t offset, int32_t multiplier, int32_t shift)
{
	const struct term term = {
		.offset = offset * (1 << 21),
		.multiplier = multiplier,
		.shift = shift,
		.half = shift < 0 ? 1 << (-shift - 1) : 0,
	};

	return term;
}

/** An input, scaled. As in petite_requantize_s8_dsp(), a doubled factor is rounded by SMMULR. */
static inline int32_t scale(int32_t input, const struct term *term)
{
	const int32_t doubled = input * (1 << 21) + term->offset;
	int32_t value;

	__asm__("smmulr %0, %1, %2" : "=r"(value) : "r"(doubled), "r"(term->multiplier));
	/* What is negative goes down by one before a division, which takes ties away from zero. */
	value += (value & term->shift) >> 31;
	return (value + term->half) >> -term->shift;
}

enum petite_status petite_add_s8_dsp(const void *params)
{
	const struct petite_add_s8 *p = params;
	const struct term first = term_of(p->input1_offset, p->input1_multiplier, p->input1_shift);
	const struct term second = term_of(p->input2_offset, p->input2_multiplier, p->input2_shift);
	const struct petite_scale_dsp last =
		petite_scale_dsp_of(p->multiplier, p->shift, p->output_offset);
	const int8_t *a = p->input1;
	int8_t *output = p->output;

	for (int32_t left = p->count; left > 0; left -= p->period) {
		const int8_t *b = p->input2;

		for (int32_t i = p->period; i > 0; i--) {
			const int32_t sum = scale(*a++, &first) + scale(*b++, &second);

			*output++ = petite_requantize_s8_dsp(2 * sum, &last);
		}
	}
	petite_limit_s8_dsp(p->output, p->count, p->activation_min, p->activation_max);
	return PETITE_OK;
}

#endif
