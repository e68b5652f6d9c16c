/* SPDX-License-Identifier: Apache-2.0 */
#ifdef PETITE_KERNELS_CMSIS_NN

#include "../common/cmsis_nn.h"
#include "batch_matmul_s8_cmsis_nn.h"

enum petite_status petite_batch_matmul_s8_cmsis_nn(const void *params)
{
	const struct petite_batch_matmul_s8_cmsis_nn *p = params;
	const cmsis_nn_dims lhs = {1, p->batches, p->rows, p->inner};
	const cmsis_nn_dims rhs = {1, p->batches, p->columns, p->inner};
	const cmsis_nn_dims output = {1, p->batches, p->rows, p->columns};
	/* A sum for each column, where there is Helium. */
	const cmsis_nn_dims sums = {1, 1, 1, p->columns};
	const cmsis_nn_context scratch = {p->scratch, p->scratch_size};
	const cmsis_nn_per_tensor_quant_params scale = {p->multiplier, p->shift};
	const cmsis_nn_bmm_params offsets = {
		.fc_params = {
			.input_offset = p->lhs_offset,
			.filter_offset = p->rhs_offset,
			.output_offset = p->output_offset,
			.activation = {.min = p->activation_min, .max = p->activation_max},
		}};

	if (petite_cmsis_nn_lacks(p->scratch, p->scratch_size,
				  arm_fully_connected_s8_get_buffer_size(&sums))) {
		return PETITE_ERR_KERNEL;
	}
	return petite_cmsis_nn_status(arm_batch_matmul_s8(&scratch, &offsets, &scale, &lhs, p->lhs,
							  &rhs, p->rhs, &output, p->output));
}

#endif
