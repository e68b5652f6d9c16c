/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MODEL_H
#define MODEL_H

#include <petite/plan.h>

extern const struct petite_plan *const model_plans[];
extern const uint32_t model_plan_count;

#endif /* MODEL_H */
