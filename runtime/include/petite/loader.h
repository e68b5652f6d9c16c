/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Loading a `.pte` program on the device: bytes in, a plan out.
 *
 * For models that are updated in the field. A program that is known when the firmware is built is
 * better compiled into it (`petite compile`): that is smaller, faster, and needs less memory.
 *
 *     static const struct petite_program program = {bytes, size, NULL, &petite_operators, NULL};
 *
 *     petite_load_plan(&program, &need, NULL);
 *     ... find need.structures and need.arena bytes ...
 *     petite_load(&program, &memory, &plan, NULL);
 *     petite_run(plan);
 *
 * The bytes are used in place and must stay where they are, unchanged, for as long as the plan is
 * used. Nothing else is kept: all memory is the caller's. What is loaded is an ordinary plan: see
 * plan.h for its inputs and outputs, and executor.h for running it.
 *
 * The bytes are taken for hostile. With PETITE_VERIFY (config.h) every offset, length and
 * type in them is checked before it is used; whatever this option says, every index, size and
 * shape, and every operator's arguments are. A plan that was accepted reads and writes nothing but
 * the program, the two memories, and what operators of the application touch.
 */
#ifndef PETITE_LOADER_H
#define PETITE_LOADER_H

#include <stdint.h>

#include <petite/config.h>
#include <petite/plan.h>
#include <petite/prepare.h>
#include <petite/registry.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to load. */
struct petite_program {
	/** The file's first byte, aligned to PETITE_LOAD_ALIGNMENT. */
	const void *bytes;
	/** Bytes of the file; there may be more behind it than belong to it. */
	uint32_t size;
	/** Name of the method; NULL for the first, which is `forward` in most files. */
	const char *method;
	/** Operators that it may call. */
	const struct petite_operator_table *operators;
	/**
	 * Operators that the application brings (registry.h), for names that the table lacks, if
	 * its fallback is petite_prepare_application(). NULL for none. The plan keeps the functions
	 * and their names, not the registry.
	 */
	const struct petite_registry *registry;
};

/** Alignment of a program's bytes and of the memories, in bytes. */
#define PETITE_LOAD_ALIGNMENT 16

/** Bytes that a method needs. */
struct petite_load_need {
	/** The plan and the parameters of its kernels. Written by petite_load() only. */
	uint32_t structures;
	/** Inputs, outputs, states, and all values between them. */
	uint32_t arena;
	/** Of `structures`: copies of constants that are not aligned for their type in the file. */
	uint32_t copied;
};

/** The memories of one loaded method, each aligned to PETITE_LOAD_ALIGNMENT. */
struct petite_load_memory {
	void *structures;
	uint32_t structures_size;
	void *arena;
	uint32_t arena_size;
};

/** Where a program was refused. */
struct petite_load_fault {
	/** Byte of the file where what was refused is described; 0 where that is unknown. */
	uint32_t byte;
	/** Instruction of the method that was refused, or -1. */
	int32_t instruction;
	/** In the file: name of the operator that was refused, or NULL. */
	const char *operator_name;
	/** In the file: its overload, or NULL. */
	const char *overload;
};

/**
 * @brief Find out what a method needs, without loading it.
 *
 * The whole program is checked as petite_load() checks it.
 *
 * @param program What to load.
 * @param need    Set to what petite_load() will use, to the byte; to zero after a failure.
 * @param fault   Set to where the program was refused. May be NULL.
 *
 * @retval PETITE_OK                 The program can be loaded.
 * @retval PETITE_ERR_ARGUMENT       A pointer is NULL, or the bytes are not aligned.
 * @retval PETITE_ERR_FORMAT         The bytes are no sound program, or have no such method.
 * @retval PETITE_ERR_NOT_REGISTERED It calls an operator that the table lacks, at all or for these
 *                                   element types.
 * @retval PETITE_ERR_UNSUPPORTED    It has something that the loader or an operator does not take.
 */
enum petite_status petite_load_plan(const struct petite_program *program,
				    struct petite_load_need *need, struct petite_load_fault *fault);

/**
 * @brief Load a method.
 *
 * Its inputs, outputs and states are zero afterwards; states get their initial values with the
 * first run.
 *
 * @param program What to load.
 * @param memory  Where to. Must stay for as long as the plan is used.
 * @param plan    Set to the method's plan, which lies in memory->structures; to NULL after a
 *                failure.
 * @param fault   Set to where the program was refused. May be NULL.
 *
 * @retval PETITE_OK           The plan can run.
 * @retval PETITE_ERR_ARGUMENT A pointer is NULL, or the bytes are not aligned.
 * @retval PETITE_ERR_MEMORY   A memory is too small, or not aligned. Nothing was written.
 *
 * And those of petite_load_plan(): then nothing was written either.
 */
enum petite_status petite_load(const struct petite_program *program,
			       const struct petite_load_memory *memory,
			       const struct petite_plan **plan, struct petite_load_fault *fault);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_LOADER_H */
