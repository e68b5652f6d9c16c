/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Mean over a window of int8 images by CMSIS-NN's arm_avgpool_s8().
 *
 * The formula is that of avg_pool_s8.h without count_include_pad, and so are the bits.
 *
 * Ranges: as avg_pool_s8.
 *
 * Overlap: the library promises nothing, so the output overlaps nothing, nor does scratch.
 */
#ifndef PETITE_KERNELS_AVG_POOL_S8_CMSIS_NN_H
#define PETITE_KERNELS_AVG_POOL_S8_CMSIS_NN_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_avg_pool_s8_cmsis_nn {
	/** [batches][input_h][input_w][channels] */
	const int8_t *input;
	/** [batches][output_h][output_w][channels] */
	int8_t *output;
	/** [scratch_size], aligned to 16 bytes; NULL where the library needs none. */
	int8_t *scratch;
	int32_t scratch_size;
	int32_t batches;
	int32_t input_h;
	int32_t input_w;
	int32_t channels;
	int32_t output_h;
	int32_t output_w;
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t stride_h;
	int32_t stride_w;
	int32_t pad_top;
	int32_t pad_left;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN.
 *
 * @param params A struct petite_avg_pool_s8_cmsis_nn.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call, or wants more scratch memory.
 */
enum petite_status petite_avg_pool_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_AVG_POOL_S8_CMSIS_NN_H */
