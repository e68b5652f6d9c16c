/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The waist: what a compiled (or loaded) method is made of.
 *
 * A plan is constant data. `petite compile` writes it as C; the executor walks it and knows neither
 * operator names nor file formats. Whoever fills these structures promises that every pointer in
 * them stays valid for as long as the plan is used.
 */
#ifndef PETITE_PLAN_H
#define PETITE_PLAN_H

#include <stdint.h>

#include <petite/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of the structures in this file and of every kernel's parameters. Generated code refuses
 * to compile against another version, and the executor refuses to run a plan of another version.
 */
#define PETITE_ABI 5

/** Element types of a method's inputs and outputs. Values are stable. */
enum petite_dtype {
	PETITE_S8 = 1,
	PETITE_S16 = 2,
	PETITE_S32 = 3,
	PETITE_S64 = 4,
	PETITE_U8 = 5,
	PETITE_F32 = 6,
	PETITE_BOOL = 7,
};

/**
 * One kernel call. Steps run in order; the kernel `branch` looks at a value and may skip some of
 * those that follow, which is all there is of control flow.
 */
struct petite_step {
	/** The kernel. */
	petite_kernel run;
	/** The kernel's own parameter structure (see runtime/kernels). */
	const void *params;
};

/** A buffer that the application writes (an input) or reads (an output), in place. */
struct petite_buffer {
	/** First element; aligned to 16 bytes. Dense, outermost dimension first as stored. */
	void *data;
	/** Size in bytes. */
	uint32_t size;
	/** Element type. */
	uint8_t dtype;
};

/** A buffer whose contents survive from call to call (a mutable buffer of the PyTorch module). */
struct petite_state {
	void *data;
	/** Value that petite_reset() restores; NULL stands for all zero bytes. */
	const void *initial;
	/** Size in bytes. */
	uint32_t size;
};

/** What changes while a model runs. Shared by all methods of a model; lives in RAM, starts zeroed.
 */
struct petite_context {
	/** Nonzero while a method runs, unless the model shares its arena with others. */
	volatile uint8_t busy;
	/** Nonzero once the states hold their initial values. */
	uint8_t ready;
};

/** One method of a model. */
struct petite_plan {
	/** PETITE_ABI at the time of generation. */
	uint16_t abi;
	uint16_t step_count;
	uint8_t input_count;
	uint8_t output_count;
	/** States of the whole model, the same for each of its methods. */
	uint16_t state_count;
	const struct petite_step *steps;
	const struct petite_buffer *inputs;
	const struct petite_buffer *outputs;
	const struct petite_state *states;
	struct petite_context *context;
	/** The context's `busy`, or that of the arena where models share one (see arena.h). */
	volatile uint8_t *busy;
};

#ifdef __cplusplus
}
#endif

#endif /* PETITE_PLAN_H */
