/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Prepare functions of ExecuTorch's portable operators (schemas of release 1.5.1).
 *
 * Each says in front of it what the arguments are, by position; the output is the last one.
 */
#ifndef PETITE_OPERATORS_ATEN_H
#define PETITE_OPERATORS_ATEN_H

#include <petite/prepare.h>

void petite_prepare_same(struct petite_call *call);
void petite_prepare_expand(struct petite_call *call);
void petite_prepare_copy(struct petite_call *call);
void petite_prepare_reshape(struct petite_call *call);
void petite_prepare_et_view(struct petite_call *call);
void petite_prepare_copy_in_place(struct petite_call *call);
void petite_prepare_permute(struct petite_call *call);
void petite_prepare_transpose(struct petite_call *call);
void petite_prepare_t(struct petite_call *call);
void petite_prepare_flip(struct petite_call *call);
void petite_prepare_repeat(struct petite_call *call);
void petite_prepare_pixel_shuffle(struct petite_call *call);
void petite_prepare_pixel_unshuffle(struct petite_call *call);
void petite_prepare_slice(struct petite_call *call);
void petite_prepare_narrow(struct petite_call *call);
void petite_prepare_select(struct petite_call *call);
void petite_prepare_unbind(struct petite_call *call);
void petite_prepare_split(struct petite_call *call);
void petite_prepare_diagonal(struct petite_call *call);
void petite_prepare_unfold(struct petite_call *call);
void petite_prepare_as_strided(struct petite_call *call);
void petite_prepare_cat(struct petite_call *call);
void petite_prepare_stack(struct petite_call *call);
void petite_prepare_roll(struct petite_call *call);
void petite_prepare_constant_pad(struct petite_call *call);
void petite_prepare_unary(struct petite_call *call);
void petite_prepare_unary_of_f32(struct petite_call *call);
void petite_prepare_unary_of_bool(struct petite_call *call);
void petite_prepare_gelu(struct petite_call *call);
void petite_prepare_never(struct petite_call *call);
void petite_prepare_dropout(struct petite_call *call);
void petite_prepare_binary_as_f32(struct petite_call *call);
void petite_prepare_binary_as_bool(struct petite_call *call);
void petite_prepare_clamp_f32(struct petite_call *call);
void petite_prepare_clamp_as_f32(struct petite_call *call);
void petite_prepare_relu_f32(struct petite_call *call);
void petite_prepare_relu(struct petite_call *call);
void petite_prepare_masked_fill(struct petite_call *call);
void petite_prepare_hardsigmoid(struct petite_call *call);
void petite_prepare_hardswish(struct petite_call *call);
void petite_prepare_leaky_relu(struct petite_call *call);
void petite_prepare_elu(struct petite_call *call);
void petite_prepare_logit(struct petite_call *call);
void petite_prepare_glu(struct petite_call *call);
void petite_prepare_binary_s8(struct petite_call *call);
void petite_prepare_binary_s16(struct petite_call *call);
void petite_prepare_binary_s32(struct petite_call *call);
void petite_prepare_binary_s64(struct petite_call *call);
void petite_prepare_binary_u8(struct petite_call *call);
void petite_prepare_binary_f32(struct petite_call *call);
void petite_prepare_binary_bool(struct petite_call *call);
void petite_prepare_add_s8(struct petite_call *call);
void petite_prepare_add_s16(struct petite_call *call);
void petite_prepare_add_s32(struct petite_call *call);
void petite_prepare_add_s64(struct petite_call *call);
void petite_prepare_add_u8(struct petite_call *call);
void petite_prepare_add_f32(struct petite_call *call);
void petite_prepare_add_bool(struct petite_call *call);
void petite_prepare_rsub_s8(struct petite_call *call);
void petite_prepare_rsub_s16(struct petite_call *call);
void petite_prepare_rsub_s32(struct petite_call *call);
void petite_prepare_rsub_s64(struct petite_call *call);
void petite_prepare_rsub_u8(struct petite_call *call);
void petite_prepare_rsub_f32(struct petite_call *call);
void petite_prepare_div_s8(struct petite_call *call);
void petite_prepare_div_s16(struct petite_call *call);
void petite_prepare_div_s32(struct petite_call *call);
void petite_prepare_div_s64(struct petite_call *call);
void petite_prepare_div_u8(struct petite_call *call);
void petite_prepare_div_f32(struct petite_call *call);
void petite_prepare_where_s8(struct petite_call *call);
void petite_prepare_where_s16(struct petite_call *call);
void petite_prepare_where_s32(struct petite_call *call);
void petite_prepare_where_s64(struct petite_call *call);
void petite_prepare_where_u8(struct petite_call *call);
void petite_prepare_where_f32(struct petite_call *call);
void petite_prepare_where_bool(struct petite_call *call);
void petite_prepare_clamp_s8(struct petite_call *call);
void petite_prepare_clamp_s16(struct petite_call *call);
void petite_prepare_clamp_s32(struct petite_call *call);
void petite_prepare_clamp_s64(struct petite_call *call);
void petite_prepare_clamp_u8(struct petite_call *call);
void petite_prepare_clamp_tensor_f32(struct petite_call *call);

#endif /* PETITE_OPERATORS_ATEN_H */
