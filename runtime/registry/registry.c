/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stddef.h>

#include <petite/registry.h>

static bool is_same(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/** The function of a name, or NULL. */
static petite_operator find(const struct petite_registry *registry, const char *name)
{
	for (uint32_t i = 0; i < registry->count; i++) {
		if (is_same(registry->entries[i].name, name)) {
			return registry->entries[i].function;
		}
	}
	return NULL;
}

enum petite_status petite_register(struct petite_registry *registry, const char *name,
				   petite_operator function)
{
	if (registry == NULL || name == NULL || function == NULL) {
		return PETITE_ERR_ARGUMENT;
	}
	if (find(registry, name) != NULL) {
		return PETITE_ERR_DUPLICATE;
	}
	if (registry->count >= registry->capacity) {
		return PETITE_ERR_FULL;
	}
	registry->entries[registry->count].name = name;
	registry->entries[registry->count].function = function;
	registry->count++;
	return PETITE_OK;
}

/** The first name that a registry lacks, or NULL. */
static const char *first_missing(const struct petite_operators *operators,
				 const struct petite_registry *registry)
{
	for (uint32_t i = 0; i < operators->count; i++) {
		if (find(registry, operators->names[i]) == NULL) {
			return operators->names[i];
		}
	}
	return NULL;
}

enum petite_status petite_bind(const struct petite_operators *operators,
			       const struct petite_registry *registry, const char **missing)
{
	const char *lacking;

	if (missing != NULL) {
		*missing = NULL;
	}
	if (operators == NULL || registry == NULL) {
		return PETITE_ERR_ARGUMENT;
	}
	if (*operators->busy) {
		return PETITE_ERR_BUSY;
	}
	/* Before anything is stored, so that a model is bound as a whole or not at all. */
	lacking = first_missing(operators, registry);
	if (lacking != NULL) {
		if (missing != NULL) {
			*missing = lacking;
		}
		return PETITE_ERR_NOT_REGISTERED;
	}
	for (uint32_t i = 0; i < operators->count; i++) {
		operators->functions[i] = find(registry, operators->names[i]);
	}
	return PETITE_OK;
}
