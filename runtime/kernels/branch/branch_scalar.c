/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/kernel.h>

#include "branch.h"

enum petite_status petite_branch_scalar(const void *params)
{
	const struct petite_branch *p = params;
	const uint8_t *condition = p->condition;

	if ((*condition != 0) == (p->sense != 0)) {
		return PETITE_OK;
	}
	return (enum petite_status)p->skip;
}
