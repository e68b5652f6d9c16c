/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Mean over a window of int8 images.
 *
 *     output[b][oy][ox][c] = clamp(sum / n), ties away from zero
 *
 * without count_include_pad: sum and n over the positions of the window inside the image. This is
 * CMSIS-NN's arithmetic.
 *
 * with count_include_pad: sum and n over the positions of the window inside the padded image (which
 * ends pad_bottom rows below and pad_right columns right of the image); each position of the
 * padding counts as pad_value, the zero point. This is what a pad operator before the pooling
 * gives.
 *
 * A mean over an image (adaptive pooling to 1x1) is a window of the image's size.
 *
 * Ranges: sizes and strides are at least 1, pads at least 0. A window that covers no position at
 * all gives PETITE_ERR_KERNEL. A window covers less than 2^24 positions.
 *
 * Overlap: elements are written in memory order (raster order, channels innermost), each after its
 * window has been read. Input that no window of a later element covers is never read again, so the
 * output may overlap it; an element may overlap its own window.
 */
#ifndef PETITE_KERNELS_AVG_POOL_S8_H
#define PETITE_KERNELS_AVG_POOL_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_avg_pool_s8 {
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
	/** Rows above and columns left of the input. */
	int32_t pad_top;
	int32_t pad_left;
	/** Rows below and columns right of the input; used only with count_include_pad. */
	int32_t pad_bottom;
	int32_t pad_right;
	/** 0 or 1. */
	int32_t count_include_pad;
	/** Value of the padding with count_include_pad. */
	int32_t pad_value;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_avg_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_avg_pool_s8_scalar(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract. Windows have at
 * most 256 positions.
 *
 * @param params A struct petite_avg_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_avg_pool_s8_dsp(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract.
 *
 * @param params A struct petite_avg_pool_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_avg_pool_s8_mve(const void *params);

#endif /* PETITE_KERNELS_AVG_POOL_S8_H */
