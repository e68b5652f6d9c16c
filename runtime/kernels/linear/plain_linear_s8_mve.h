/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief linear_s8.h with Helium, for weights as they stand in a program.
 *
 * `petite compile` fills weights and biases up for linear_s8_mve.h, which is smaller and faster.
 *
 * Overlap: all rows of four outputs are written before the next four, so the output must not
 * overlap anything.
 */
#ifndef PETITE_KERNELS_PLAIN_LINEAR_S8_MVE_H
#define PETITE_KERNELS_PLAIN_LINEAR_S8_MVE_H

#include "linear_s8.h"

/**
 * @brief The same bits as petite_linear_s8_scalar().
 *
 * @param params A struct petite_linear_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_plain_linear_s8_mve(const void *params);

#endif /* PETITE_KERNELS_PLAIN_LINEAR_S8_MVE_H */
