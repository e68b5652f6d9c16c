/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Operators of the application, found by name at run time.
 *
 * Only for models that call operators which Petite does not have (see operator.h); its own need
 * no registry. All memory is the caller's. Fill a registry, then bind each model once before it
 * runs:
 *
 *     PETITE_REGISTRY(operators, PETITE_REGISTRY_SIZE);
 *
 *     status = petite_register(&operators, "mylib::spectrogram.out", spectrogram);
 *     ...
 *     status = petite_bind(&kws_operators, &operators, &missing);
 *
 * Neither reentrant nor thread safe: register and bind from one thread, while the model rests.
 */
#ifndef PETITE_REGISTRY_H
#define PETITE_REGISTRY_H

#include <stdint.h>

#include <petite/config.h>
#include <petite/operator.h>
#include <petite/plan.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A slot of a registry. */
struct petite_registry_entry {
	const char *name;
	petite_operator function;
};

/** Functions by name, in memory of the caller. */
struct petite_registry {
	/** [capacity] The first `count` are taken. */
	struct petite_registry_entry *entries;
	uint16_t capacity;
	uint16_t count;
};

/** Define an empty registry, and its memory, as static variables of this file. */
#define PETITE_REGISTRY(registry, slots)                                                           \
	static struct petite_registry_entry registry##_entries[slots];                             \
	static struct petite_registry registry = {registry##_entries, (slots), 0}

/** What a model calls of the application. Generated as NAME_operators for a model called NAME. */
struct petite_operators {
	/** [count] Each name once. */
	const char *const *names;
	/** [count] What petite_bind() found for each name; NULL until then. */
	petite_operator *functions;
	/** The plans'. */
	const volatile uint8_t *busy;
	/** At least 1. */
	uint16_t count;
};

/**
 * @brief Put a function into a registry.
 *
 * @param registry Where.
 * @param name     The operator as the program file calls it, say "mylib::spectrogram.out";
 *                 `petite inspect` lists them. Not copied: it must stay while the registry is
 *                 used.
 * @param function What to call.
 *
 * @retval PETITE_OK            It is registered.
 * @retval PETITE_ERR_ARGUMENT  A pointer is NULL. Nothing was changed.
 * @retval PETITE_ERR_DUPLICATE The name is registered already, and stays as it was.
 * @retval PETITE_ERR_FULL      All slots are taken. Nothing was changed.
 */
enum petite_status petite_register(struct petite_registry *registry, const char *name,
				   petite_operator function);

/**
 * @brief Find the functions that a model calls.
 *
 * The model keeps the functions, not the registry, which may go or change afterwards. To choose
 * other functions, bind again.
 *
 * @param operators The model's NAME_operators.
 * @param registry  Where to look.
 * @param missing   Set to the first name that was not found with PETITE_ERR_NOT_REGISTERED, and to
 *                  NULL otherwise. May be NULL.
 *
 * @retval PETITE_OK                 The model can run.
 * @retval PETITE_ERR_ARGUMENT       @p operators or @p registry is NULL.
 * @retval PETITE_ERR_BUSY           A method of the model is running.
 * @retval PETITE_ERR_NOT_REGISTERED The registry lacks @p missing.
 *
 * After a failure the model is bound as it was before, or not bound if it was not.
 */
enum petite_status petite_bind(const struct petite_operators *operators,
			       const struct petite_registry *registry, const char **missing);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_REGISTRY_H */
