/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of int8 images with windows of one pixel, with Helium.
 *
 * The formula is that of conv2d_s8.h with a kernel and strides of 1, one group and no padding, and
 * so are the bits. A kernel of its own, because models are full of such layers: pixels have
 * nothing to do with their neighbours, so it needs few parameters.
 *
 * Packed weights (common/multiply_pairs_s8_mve.h) are for the input_c bytes of a pixel.
 *
 * Ranges: as conv2d_s8; shifts in [-31, 0]; output_offset within +-2^20.
 *
 * Overlap: pixels are written in order, two at a time (at the end of an odd number, one), channels
 * of both in turn. A pixel's input is never read again (to be of use) once the next pair begins,
 * so the output may overlap it; the two pixels must not overlap their own inputs. Other arrays must
 * not overlap the output, nor scratch anything.
 */
#ifndef PETITE_KERNELS_POINTWISE_CONV2D_S8_MVE_H
#define PETITE_KERNELS_POINTWISE_CONV2D_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_pointwise_conv2d_s8_mve {
	/** [pixels][input_c] */
	const int8_t *input;
	const int32_t *weights;
	/** [pixels][output_c] */
	int8_t *output;
	/** [2][input_c rounded up to a multiple of 16]; NULL where input_c is a multiple of 16. */
	int8_t *scratch;
	int32_t pixels;
	int32_t output_offset;
	int16_t input_c;
	int16_t output_c;
	int16_t activation_min;
	int16_t activation_max;
};

/**
 * @brief For cores with Helium.
 *
 * @param params A struct petite_pointwise_conv2d_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_pointwise_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_POINTWISE_CONV2D_S8_MVE_H */
