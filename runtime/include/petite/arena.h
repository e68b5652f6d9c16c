/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief One arena for several models that never run at the same time.
 *
 * A model that is compiled with `petite compile --arena NAME` brings no arena. It includes
 * NAME_arena.h, which the application writes (petite_add_model() in CMake does it):
 *
 *     #include <petite/arena.h>
 *     #include "first.h"
 *     #include "second.h"
 *
 *     PETITE_ARENA(NAME, sizeof(union {
 *         PETITE_ARENA_FOR(FIRST)
 *         PETITE_ARENA_FOR(SECOND)
 *     }));
 *
 * and one C file has its memory, in a section of one of the models or of the application's choice:
 *
 *     #include "NAME_arena.h"
 *
 *     PETITE_ARENA_MEMORY(NAME, FIRST_ARENA_SECTION);
 *
 * A model that is larger than the arena does not compile. While one of the models runs, the others
 * refuse to (PETITE_ERR_BUSY). A run leaves nothing of what the others had in the arena: write a
 * model's inputs after another one has run, and read its outputs before. States are not in the
 * arena, so each model keeps its own.
 */
#ifndef PETITE_ARENA_H
#define PETITE_ARENA_H

#include <stdint.h>

#include <petite/section.h>

/** Part of the union that is as large as the largest model. */
#define PETITE_ARENA_FOR(model) uint8_t model[model##_ARENA_BYTES > 0 ? model##_ARENA_BYTES : 1];

/** Declare an arena of so many bytes. */
#define PETITE_ARENA(name, size)                                                                   \
	extern uint8_t name##_arena[size];                                                         \
	extern volatile uint8_t name##_arena_busy

/** Define it, once. */
#define PETITE_ARENA_MEMORY(name, section)                                                         \
	uint8_t name##_arena[sizeof(name##_arena)] PETITE_PLACED(section, 16);                     \
	volatile uint8_t name##_arena_busy

#endif /* PETITE_ARENA_H */
