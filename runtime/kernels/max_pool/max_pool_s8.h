/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Maximum over a window of int8 images.
 *
 *     output[b][oy][ox][c] = clamp(largest input[b][iy][ix][c] of the window inside the image)
 *
 * Ranges: sizes, strides and dilations are at least 1, pads at least 0. A window that covers
 * nothing of the image gives activation_min.
 *
 * Overlap: elements are written in memory order (raster order, channels innermost), each after its
 * window has been read. Input that no window of a later element covers is never read again, so the
 * output may overlap it; an element may overlap its own window.
 */
#ifndef PETITE_KERNELS_MAX_POOL_S8_H
#define PETITE_KERNELS_MAX_POOL_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_max_pool_s8 {
	/** [batches][input_h][input_w][channels] */
	const int8_t *input;
	/** [batches][output_h][output_w][channels] */
	int8_t *output;
	/** Images, each input_h x input_w pixels of channels values, channels innermost. */
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
	/** Rows above and columns left of the input; those below and right follow from the sizes.
	 */
	int32_t pad_top;
	int32_t pad_left;
	/** Distance of a window's rows and columns in the image. */
	int32_t dilation_h;
	int32_t dilation_w;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_max_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_max_pool_s8_scalar(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_max_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_max_pool_s8_dsp(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract.
 *
 * @param params A struct petite_max_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_max_pool_s8_mve(const void *params);

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN: the same bits, by the library's
 *        arm_max_pool_s8(). Windows have no dilation and each
 *        covers a pixel; the output overlaps nothing.
 *
 * @param params A struct petite_max_pool_s8.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call.
 */
enum petite_status petite_max_pool_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_MAX_POOL_S8_H */
