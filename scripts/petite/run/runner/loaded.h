/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A program that the runner loads, instead of a model that was compiled into it.
 *
 * model.h then defines MODEL_IS_LOADED, and model.c what is declared here.
 */
#ifndef PETITE_RUNNER_LOADED_H
#define PETITE_RUNNER_LOADED_H

#include <stdint.h>

#include <petite/loader.h>

/** Each method of the program, in its order. */
extern const struct petite_program model_programs[];
extern const uint32_t model_plan_count;

/** Exactly as large as the method that is run needs. */
extern const struct petite_load_memory model_memory;

/** Write one line that says where a program was refused. */
void write_refusal(int status, const struct petite_load_fault *fault);

/** Load a method, between the marks; NULL, and a message, where that fails. */
const struct petite_plan *load_method(uint32_t method);

/** Bytes of stack that this used. */
extern uint32_t load_stack;

#endif /* PETITE_RUNNER_LOADED_H */
