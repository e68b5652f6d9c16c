/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "softmax_s8.h"

enum petite_status petite_softmax_s8_cmsis_nn(const void *params)
{
	const struct petite_softmax_s8 *p = params;

	arm_softmax_s8(p->input, p->rows, p->columns, p->input_multiplier, p->input_shift,
		       p->diff_min, p->output);
	return PETITE_OK;
}

#endif
