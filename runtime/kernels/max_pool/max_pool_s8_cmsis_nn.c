/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "max_pool_s8.h"

enum petite_status petite_max_pool_s8_cmsis_nn(const void *params)
{
	const struct petite_max_pool_s8 *p = params;
	const cmsis_nn_dims input = {p->batches, p->input_h, p->input_w, p->channels};
	const cmsis_nn_dims filter = {1, p->kernel_h, p->kernel_w, 1};
	const cmsis_nn_dims output = {p->batches, p->output_h, p->output_w, p->channels};
	const cmsis_nn_context none = {0};
	const cmsis_nn_pool_params window = {
		.stride = {.w = p->stride_w, .h = p->stride_h},
		.padding = {.w = p->pad_left, .h = p->pad_top},
		.activation = {.min = p->activation_min, .max = p->activation_max},
	};

	return petite_cmsis_nn_status(
		arm_max_pool_s8(&none, &window, &input, p->input, &filter, &output, p->output));
}

#endif
