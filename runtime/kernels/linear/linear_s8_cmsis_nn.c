/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "linear_s8.h"

enum petite_status petite_linear_s8_cmsis_nn(const void *params)
{
	const struct petite_linear_s8 *p = params;
	const cmsis_nn_dims input = {p->rows, 1, 1, p->in_features};
	const cmsis_nn_dims filter = {p->in_features, 1, 1, p->out_features};
	const cmsis_nn_dims output = {p->rows, 1, 1, p->out_features};
	/* With Helium the library starts its sums from here, elsewhere from the bias. */
	const cmsis_nn_context sums = {(int32_t *)p->bias, 4 * p->out_features};
	const cmsis_nn_per_tensor_quant_params scale = {p->multiplier, p->shift};
	const cmsis_nn_fc_params offsets = {
		.output_offset = p->output_offset,
		.activation = {.min = p->activation_min, .max = p->activation_max},
	};

	return petite_cmsis_nn_status(arm_fully_connected_s8(&sums, &offsets, &scale, &input,
							     p->input, &filter, p->weights, &output,
							     p->bias, &output, p->output));
}

#endif
