/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "add_s8.h"

enum petite_status petite_add_s8_cmsis_nn(const void *params)
{
	const struct petite_add_s8 *p = params;

	return petite_cmsis_nn_status(arm_elementwise_add_s8(
		p->input1, p->input2, p->input1_offset, p->input1_multiplier, p->input1_shift,
		p->input2_offset, p->input2_multiplier, p->input2_shift, 20, p->output,
		p->output_offset, p->multiplier, p->shift, p->activation_min, p->activation_max,
		p->count));
}

#endif
