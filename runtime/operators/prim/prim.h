/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Prepare functions of what ExecuTorch makes loops of: numbers, and tensors that grow.
 *
 * Each says in front of it what the arguments are, by position.
 */
#ifndef PETITE_OPERATORS_PRIM_H
#define PETITE_OPERATORS_PRIM_H

#include <petite/prepare.h>

void petite_prepare_add_numbers(struct petite_call *call);
void petite_prepare_subtract_numbers(struct petite_call *call);
void petite_prepare_are_numbers_equal(struct petite_call *call);
void petite_prepare_number_of_size(struct petite_call *call);
void petite_prepare_copy_row(struct petite_call *call);

#endif /* PETITE_OPERATORS_PRIM_H */
