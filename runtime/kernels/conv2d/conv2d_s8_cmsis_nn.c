/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "conv2d_s8_cmsis_nn.h"

enum petite_status petite_conv2d_s8_cmsis_nn(const void *params)
{
	const struct petite_conv2d_s8_cmsis_nn *p = params;
	const cmsis_nn_dims input = {p->batches, p->input_h, p->input_w, p->input_c};
	const cmsis_nn_dims filter = {p->output_c, p->kernel_h, p->kernel_w, p->filter_c};
	const cmsis_nn_dims bias = {1, 1, 1, p->output_c};
	const cmsis_nn_dims output = {p->batches, p->output_h, p->output_w, p->output_c};
	const cmsis_nn_context scratch = {p->scratch, p->scratch_size};
	const cmsis_nn_per_channel_quant_params scales = {(int32_t *)p->multiplier,
							  (int32_t *)p->shift};
	const cmsis_nn_conv_params window = {
		.input_offset = p->input_offset,
		.output_offset = p->output_offset,
		.stride = {.w = p->stride_w, .h = p->stride_h},
		.padding = {.w = p->pad_left, .h = p->pad_top},
		.dilation = {.w = p->dilation_w, .h = p->dilation_h},
		.activation = {.min = p->activation_min, .max = p->activation_max},
	};
	const int32_t needed =
		arm_convolve_wrapper_s8_get_buffer_size(&window, &input, &filter, &output);

	if (petite_cmsis_nn_lacks(p->scratch, p->scratch_size, needed)) {
		return PETITE_ERR_KERNEL;
	}
	return petite_cmsis_nn_status(arm_convolve_wrapper_s8(&scratch, &window, &scales, &input,
							      p->input, &filter, p->weights, &bias,
							      p->bias, &output, p->output));
}

#endif
