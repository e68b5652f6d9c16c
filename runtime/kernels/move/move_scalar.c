/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "move.h"

/* Both addresses are multiples of this, so no block overlaps the place that it goes to. */
#define BLOCK 16U

static void move_block(uint8_t *to, const uint8_t *from)
{
	memcpy(__builtin_assume_aligned(to, BLOCK), __builtin_assume_aligned(from, BLOCK), BLOCK);
}

enum petite_status petite_move_scalar(const void *params)
{
	const struct petite_move *p = params;
	const uint8_t *from = p->input;
	uint8_t *to = p->output;
	uint32_t rest = (uint32_t)p->size % BLOCK;
	uint32_t blocks = (uint32_t)p->size - rest;

	if ((uintptr_t)to < (uintptr_t)from) {
		for (uint32_t i = 0; i < blocks; i += BLOCK) {
			move_block(to + i, from + i);
		}
		memcpy(to + blocks, from + blocks, rest);
	} else {
		memcpy(to + blocks, from + blocks, rest);
		for (uint32_t i = blocks; i > 0; i -= BLOCK) {
			move_block(to + i - BLOCK, from + i - BLOCK);
		}
	}
	return PETITE_OK;
}
