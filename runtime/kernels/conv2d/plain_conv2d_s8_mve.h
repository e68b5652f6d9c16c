/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief conv2d_s8.h with Helium, for weights as they stand in a program.
 *
 * `petite compile` packs weights for conv2d_s8_mve.h, which is faster.
 *
 * Ranges: one group; dilation_w is 1.
 *
 * Overlap: all pixels of four channels are written before the next four, so the output must not
 * overlap anything.
 */
#ifndef PETITE_KERNELS_PLAIN_CONV2D_S8_MVE_H
#define PETITE_KERNELS_PLAIN_CONV2D_S8_MVE_H

#include "conv2d_s8.h"

/**
 * @brief The same bits as petite_conv2d_s8_scalar().
 *
 * @param params A struct petite_conv2d_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_plain_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_PLAIN_CONV2D_S8_MVE_H */
