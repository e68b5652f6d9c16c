/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_MVE

#include <arm_mve.h>

#include "define_copy_planes.h"

/** Bytes of a turn. */
#define BLOCK 8

/** Whether the distances of a block's bytes from the first of them fit 16 bits. */
static int is_near(int32_t stride)
{
	return stride <= UINT16_MAX / (BLOCK - 1) && stride >= -(UINT16_MAX / (BLOCK - 1));
}

/** Distances of a block's bytes from the one that is lowest in memory. */
static uint16x8_t distances(int32_t stride)
{
	const uint16x8_t number = vidupq_n_u16(0, 1);

	if (stride < 0) {
		return vmulq_n_u16(vsubq_u16(vdupq_n_u16(BLOCK - 1), number), (uint16_t)-stride);
	}
	return vmulq_n_u16(number, (uint16_t)stride);
}

/** Gathers, and stores in a run, or scatters; compilers make more instructions of each turn. */
#define COPY(store)                                                                                \
	"	wlstp.16 lr, %[count], 2f\n"                                                             \
	"1:	vldrb.u16 q0, [%[from], %q[gather]]\n"                                                 \
	"	add %[from], %[step]\n" store "	letp lr, 1b\n"                                     \
	"2:"

static void copy_line(const struct line *line)
{
	const int32_t stride = line->from_stride;
	const uint16x8_t gather = distances(stride);
	const uint8_t *from = line->from + (stride < 0 ? (BLOCK - 1) * stride : 0);
	uint8_t *to = line->to;

	if (!is_near(stride) || !is_near(line->to_stride)) {
		from = line->from;
		for (int32_t left = line->count; left > 0; left--) {
			*to = *from;
			from += stride;
			to += line->to_stride;
		}
	} else if (line->to_stride == 1) {
		/* A store that narrows can only count up a low register. */
		__asm__ volatile(
			COPY("	vstrb.16 q0, [%[to]], #8\n")
			: [from] "+r"(from), [to] "+l"(to)
			: [count] "r"(line->count), [step] "r"(BLOCK * stride), [gather] "w"(gather)
			: "lr", "q0", "memory");
	} else {
		__asm__ volatile(COPY("	vstrb.16 q0, [%[to], %q[scatter]]\n"
				      "	add %[to], %[to_step]\n")
				 : [from] "+r"(from), [to] "+r"(to)
				 : [count] "r"(line->count), [step] "r"(BLOCK * stride),
				   [gather] "w"(gather), [to_step] "r"(BLOCK * line->to_stride),
				   [scatter] "w"(distances(line->to_stride))
				 : "lr", "q0", "memory");
	}
}

enum petite_status petite_transpose_mve(const void *params)
{
	copy_planes(params);
	return PETITE_OK;
}

#endif
