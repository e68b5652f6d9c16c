/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Prepare functions of ExecuTorch's cortex_m operators (schemas of release 1.5.1).
 *
 * Each says in front of it what the arguments are, by position; the output is the last one.
 */
#ifndef PETITE_OPERATORS_CORTEX_M_H
#define PETITE_OPERATORS_CORTEX_M_H

#include <petite/prepare.h>

void petite_prepare_quantize_s8(struct petite_call *call);
void petite_prepare_quantize_s16(struct petite_call *call);
void petite_prepare_dequantize_s8(struct petite_call *call);
void petite_prepare_dequantize_s16(struct petite_call *call);
void petite_prepare_quantized_conv2d(struct petite_call *call);
void petite_prepare_quantized_conv2d_nhwc(struct petite_call *call);
void petite_prepare_quantized_depthwise_conv2d(struct petite_call *call);
void petite_prepare_quantized_depthwise_conv2d_nhwc(struct petite_call *call);
void petite_prepare_quantized_transpose_conv2d(struct petite_call *call);
void petite_prepare_quantized_transpose_conv2d_nhwc(struct petite_call *call);
void petite_prepare_quantized_avg_pool2d(struct petite_call *call);
void petite_prepare_quantized_avg_pool2d_nhwc(struct petite_call *call);
void petite_prepare_quantized_max_pool2d(struct petite_call *call);
void petite_prepare_quantized_max_pool2d_nhwc(struct petite_call *call);
void petite_prepare_quantized_linear(struct petite_call *call);
void petite_prepare_quantized_add(struct petite_call *call);
void petite_prepare_quantized_mul(struct petite_call *call);
void petite_prepare_quantized_div_s8(struct petite_call *call);
void petite_prepare_quantized_div_s16(struct petite_call *call);
void petite_prepare_quantized_activation(struct petite_call *call);
void petite_prepare_quantized_batch_matmul(struct petite_call *call);
void petite_prepare_softmax_s8(struct petite_call *call);
void petite_prepare_cortex_m_pad(struct petite_call *call);

#endif /* PETITE_OPERATORS_CORTEX_M_H */
