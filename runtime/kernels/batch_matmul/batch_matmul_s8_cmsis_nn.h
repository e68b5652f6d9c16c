/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Products of int8 matrices by CMSIS-NN's arm_batch_matmul_s8().
 *
 * The formula is that of batch_matmul_s8.h, and so are the bits.
 *
 * Ranges: as batch_matmul_s8; offsets within +-2^14.
 *
 * Overlap: the library promises nothing, so the output overlaps nothing, nor does scratch.
 */
#ifndef PETITE_KERNELS_BATCH_MATMUL_S8_CMSIS_NN_H
#define PETITE_KERNELS_BATCH_MATMUL_S8_CMSIS_NN_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_batch_matmul_s8_cmsis_nn {
	/** [batches][rows][inner] */
	const int8_t *lhs;
	/** [batches][columns][inner] */
	const int8_t *rhs;
	/** [batches][rows][columns] */
	int8_t *output;
	/** [scratch_size], aligned to 16 bytes; NULL where the library needs none. */
	int8_t *scratch;
	int32_t scratch_size;
	int32_t batches;
	int32_t rows;
	int32_t columns;
	int32_t inner;
	int32_t lhs_offset;
	int32_t rhs_offset;
	int32_t multiplier;
	int32_t shift;
	int32_t output_offset;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN.
 *
 * @param params A struct petite_batch_matmul_s8_cmsis_nn.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call, or wants more scratch memory.
 */
enum petite_status petite_batch_matmul_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_BATCH_MATMUL_S8_CMSIS_NN_H */
