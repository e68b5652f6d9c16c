/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "copy_blocks.h"

enum petite_status petite_copy_blocks_scalar(const void *params)
{
	const struct petite_copy_blocks *p = params;

	for (int32_t n = 0; n < p->count; n++) {
		memcpy((uint8_t *)p->output + n * p->output_stride,
		       (const uint8_t *)p->input + n * p->input_stride, (size_t)p->block_size);
	}
	return PETITE_OK;
}
