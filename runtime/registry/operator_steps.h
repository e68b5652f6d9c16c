/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The steps of a plan that calls operators of the application.
 *
 * They are in the form of kernels (see petite/kernel.h), and are named by generated code only.
 */
#ifndef PETITE_REGISTRY_OPERATOR_STEPS_H
#define PETITE_REGISTRY_OPERATOR_STEPS_H

#include <petite/operator.h>
#include <petite/registry.h>
#include <petite/status.h>

/** Parameters of petite_require_bound(). */
struct petite_require_bound {
	const struct petite_operators *operators;
};

/**
 * @brief First step of each method that calls the application: end the run before it has written
 * anything, unless petite_bind() has succeeded.
 *
 * @param params A struct petite_require_bound.
 * @retval PETITE_OK            All operators of the model are bound.
 * @retval PETITE_ERR_NOT_BOUND None is.
 */
enum petite_status petite_require_bound(const void *params);

/** Parameters of petite_call_operator(). */
struct petite_call_operator {
	/** Where petite_bind() put the function. */
	const petite_operator *function;
	/** What it is given. */
	struct petite_operator_call call;
};

/**
 * @brief Call an operator that is bound.
 *
 * @param params A struct petite_call_operator.
 * @return What the operator returned, and PETITE_ERR_OPERATOR where that is no status.
 */
enum petite_status petite_call_operator(const void *params);

#endif /* PETITE_REGISTRY_OPERATOR_STEPS_H */
