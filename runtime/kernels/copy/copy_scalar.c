/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "copy.h"

enum petite_status petite_copy_scalar(const void *params)
{
	const struct petite_copy *p = params;

	memcpy(p->output, p->input, (size_t)p->size);
	return PETITE_OK;
}
