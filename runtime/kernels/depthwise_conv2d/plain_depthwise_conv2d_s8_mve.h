/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief depthwise_conv2d_s8.h with Helium, for weights as they stand in a program.
 *
 * `petite compile` packs weights for depthwise_conv2d_s8_mve.h, which is faster.
 *
 * Ranges: input_offset lies in [-256, 255].
 *
 * Overlap: all pixels of eight channels are written before the next eight, so the output must not
 * overlap anything.
 */
#ifndef PETITE_KERNELS_PLAIN_DEPTHWISE_CONV2D_S8_MVE_H
#define PETITE_KERNELS_PLAIN_DEPTHWISE_CONV2D_S8_MVE_H

#include "depthwise_conv2d_s8.h"

/**
 * @brief The same bits as petite_depthwise_conv2d_s8_scalar().
 *
 * @param params A struct petite_depthwise_conv2d_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_plain_depthwise_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_PLAIN_DEPTHWISE_CONV2D_S8_MVE_H */
