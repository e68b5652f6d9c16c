/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/expand_s8_dsp.h"
#include "../common/limit_s8_dsp.h"
#include "../common/multiply_run_s8_dsp.h"
#include "linear_s8_dsp.h"

static void write_outputs(struct petite_run_dsp *run, int8_t *output, int32_t count)
{
	const int32_t left = count & 3;
	int8_t last[4];

	run->output = output;
	run->blocks = count >> 2;
	if (run->blocks > 0) {
		petite_multiply_run_s8_dsp(run);
	}
	if (left > 0) {
		run->output = last;
		run->blocks = 1;
		petite_multiply_run_s8_dsp(run);
		memcpy(output + count - left, last, (size_t)left);
	}
}

enum petite_status petite_linear_s8_dsp(const void *params)
{
	const struct petite_linear_s8_dsp *p = params;
	int32_t *const wide = (int32_t *)(void *)p->scratch;
	struct petite_run_dsp run = {
		.multiplier = p->multiplier,
		.shift = (int32_t)((uint32_t)(2 * p->output_offset + 1) << 16) - p->shift - 1,
	};
	const int8_t *input = p->input;
	int8_t *output = p->output;

	petite_run_dsp_begin(&run, wide, (p->in_features + 3) >> 2);
	for (int32_t row = 0; row < p->rows; row++) {
		run.packed = p->packed;
		run.start =
			0U - 128U * (uint32_t)petite_expand_run_dsp(input, p->in_features, wide);
		write_outputs(&run, output, p->out_features);
		petite_limit_s8_dsp(output, p->out_features, p->activation_min, p->activation_max);
		input += p->in_features;
		output += p->out_features;
	}
	return PETITE_OK;
}

#endif
