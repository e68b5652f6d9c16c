/* SPDX-License-Identifier: Apache-2.0 */
#include "define_put.h"

PETITE_DEFINE_PUT(put_1, uint8_t, b)
PETITE_DEFINE_PUT(put_2, uint16_t, b)
PETITE_DEFINE_PUT(put_4, uint32_t, b)
PETITE_DEFINE_PUT(put_8, uint64_t, b)

enum petite_status petite_put_scalar(const void *params)
{
	const struct petite_put *p = params;

	switch (p->element_size) {
	case 1:
		put_1(p);
		break;
	case 2:
		put_2(p);
		break;
	case 4:
		put_4(p);
		break;
	default:
		put_8(p);
		break;
	}
	return PETITE_OK;
}
