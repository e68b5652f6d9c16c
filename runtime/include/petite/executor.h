/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Runs methods.
 */
#ifndef PETITE_EXECUTOR_H
#define PETITE_EXECUTOR_H

#include <petite/plan.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Run a method once: read its inputs, write its outputs.
 *
 * Write the inputs before each call: execution may reuse their memory (the generated header says
 * which inputs survive). Outputs stay valid until the next call of any method of the model.
 * States keep their values between calls; the first call starts from their initial values.
 *
 * Neither reentrant nor thread safe within one model: a call that finds the model busy returns
 * PETITE_ERR_BUSY. Different models are independent of each other, unless they share an arena (see
 * arena.h).
 *
 * @retval PETITE_OK            The outputs hold the results.
 * @retval PETITE_ERR_ARGUMENT  @p plan is NULL.
 * @retval PETITE_ERR_BUSY      A method of this model is running, or a model in its arena.
 * @retval PETITE_ERR_VERSION   The plan belongs to another version of the runtime.
 * @retval PETITE_ERR_KERNEL    A kernel refused its parameters; outputs and states are undefined.
 *
 * And for models that call operators of the application (see registry.h):
 * @retval PETITE_ERR_NOT_BOUND petite_bind() has not found them yet; no output was written.
 * @retval PETITE_ERR_OPERATOR  One of them gave up; outputs and states are undefined.
 */
enum petite_status petite_run(const struct petite_plan *plan);

/**
 * @brief Give every state of the plan's model its initial value.
 *
 * @retval PETITE_OK            Done.
 * @retval PETITE_ERR_ARGUMENT  @p plan is NULL.
 * @retval PETITE_ERR_BUSY      A method of this model is running, or a model in its arena; nothing
 *                              was changed.
 * @retval PETITE_ERR_VERSION   The plan belongs to another version of the runtime.
 */
enum petite_status petite_reset(const struct petite_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_EXECUTOR_H */
