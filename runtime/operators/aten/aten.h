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

#endif /* PETITE_OPERATORS_ATEN_H */
