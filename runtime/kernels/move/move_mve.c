/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include "../common/bytes_mve.h"
#include "move.h"

/* Both addresses are multiples of this, so no block overlaps the place that it goes to. */
#define BLOCK 16U

/* The bytes before `to` become those before `from`, the last ones first. */
static void move_upwards(int8_t *to, const int8_t *from, uint32_t blocks)
{
	__asm__ volatile("	wls lr, %2, 2f\n"
			 "1:	vldrb.u8 q0, [%1, #-16]!\n"
			 "	vstrb.8 q0, [%0, #-16]!\n"
			 "	le lr, 1b\n"
			 "2:"
			 : "+r"(to), "+r"(from)
			 : "r"(blocks)
			 : "lr", "q0", "memory");
}

enum petite_status petite_move_mve(const void *params)
{
	const struct petite_move *p = params;
	const int8_t *from = p->input;
	int8_t *to = p->output;
	uint32_t rest = (uint32_t)p->size % BLOCK;
	uint32_t blocks = (uint32_t)p->size - rest;

	if ((uintptr_t)to < (uintptr_t)from) {
		petite_copy_mve(to, from, p->size);
	} else {
		petite_copy_mve(to + blocks, from + blocks, (int32_t)rest);
		move_upwards(to + blocks, from + blocks, blocks / BLOCK);
	}
	return PETITE_OK;
}

#endif
