/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "operator_steps.h"

enum petite_status petite_require_bound(const void *params)
{
	const struct petite_require_bound *p = params;

	/* petite_bind() stores all functions of a model or none. */
	return p->operators->functions[0] != NULL ? PETITE_OK : PETITE_ERR_NOT_BOUND;
}

enum petite_status petite_call_operator(const void *params)
{
	const struct petite_call_operator *p = params;

	enum petite_status status = (*p->function)(&p->call);

	/* A positive number would skip steps, which is not for the application to do. */
	return status <= PETITE_OK ? status : PETITE_ERR_OPERATOR;
}
