/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "avg_pool_s8_cmsis_nn.h"

enum petite_status petite_avg_pool_s8_cmsis_nn(const void *params)
{
	const struct petite_avg_pool_s8_cmsis_nn *p = params;
	const cmsis_nn_dims input = {p->batches, p->input_h, p->input_w, p->channels};
	const cmsis_nn_dims filter = {1, p->kernel_h, p->kernel_w, 1};
	const cmsis_nn_dims output = {p->batches, p->output_h, p->output_w, p->channels};
	const cmsis_nn_context scratch = {p->scratch, p->scratch_size};
	const cmsis_nn_pool_params window = {
		.stride = {.w = p->stride_w, .h = p->stride_h},
		.padding = {.w = p->pad_left, .h = p->pad_top},
		.activation = {.min = p->activation_min, .max = p->activation_max},
	};

	if (petite_cmsis_nn_lacks(p->scratch, p->scratch_size,
				  arm_avgpool_s8_get_buffer_size(p->output_w, p->channels))) {
		return PETITE_ERR_KERNEL;
	}
	return petite_cmsis_nn_status(
		arm_avgpool_s8(&scratch, &window, &input, p->input, &filter, &output, p->output));
}

#endif
