/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The one model that is loaded, and the memory for it.
 */
#ifndef UPDATE_MODEL_H
#define UPDATE_MODEL_H

#include <stdint.h>

#include <petite/loader.h>
#include <petite/petite.h>

/** Bytes of the two memories. The build chooses them: Kconfig, or CMake. */
#ifndef UPDATE_STRUCTURES_BYTES
#define UPDATE_STRUCTURES_BYTES 8192
#endif
#ifndef UPDATE_ARENA_BYTES
#define UPDATE_ARENA_BYTES 65536
#endif

/** What became of a program. */
struct update_verdict {
	/** PETITE_ERR_MEMORY where `need` is more than the two memories have. */
	enum petite_status status;
	struct petite_load_need need;
	struct petite_load_fault fault;
};

/** Whether a program could be loaded. What is loaded stays so. */
struct update_verdict update_model_check(const void *bytes, uint32_t size);

/**
 * @brief Load a program, in place of the one before.
 *
 * Its bytes stay in use until another is loaded or update_model_unload() is called.
 */
struct update_verdict update_model_load(const void *bytes, uint32_t size);

/** Let go of the program. */
void update_model_unload(void);

/** The plan of what is loaded; NULL where nothing is. */
const struct petite_plan *update_model_plan(void);

#endif /* UPDATE_MODEL_H */
