/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Moving bytes with Helium's tail-predicated loops.
 */
#ifndef PETITE_KERNELS_COMMON_BYTES_MVE_H
#define PETITE_KERNELS_COMMON_BYTES_MVE_H

#include <stdint.h>

#include <arm_mve.h>

/**
 * Copy `count` bytes (0 or more), and return where the next ones go. Sixteen at a time are read and
 * then written, upwards: the two may overlap where `to` is the lower one.
 */
static inline int8_t *petite_copy_mve(int8_t *to, const int8_t *from, int32_t count)
{
	int8_t *end = to + count;

	/* Compilers make two instructions more of each turn. */
	__asm__ volatile("	wlstp.8 lr, %2, 2f\n"
			 "1:	vldrb.u8 q0, [%1], #16\n"
			 "	vstrb.8 q0, [%0], #16\n"
			 "	letp lr, 1b\n"
			 "2:"
			 : "+r"(to), "+r"(from)
			 : "r"(count)
			 : "lr", "q0", "memory");
	return end;
}

/** Set `count` bytes (0 or more), and return where the next ones go. */
static inline int8_t *petite_fill_mve(int8_t *to, int32_t value, int32_t count)
{
	int8_t *end = to + count;
	int8x16_t vector = vdupq_n_s8((int8_t)value);

	__asm__ volatile("	wlstp.8 lr, %[count], 2f\n"
			 "1:	vstrb.8 %q[vector], [%[to]], #16\n"
			 "	letp lr, 1b\n"
			 "2:"
			 : [to] "+r"(to)
			 : [count] "r"(count), [vector] "w"(vector)
			 : "lr", "memory");
	return end;
}

/** Store the first lanes (at most 4) as bytes; beyond `lanes` nothing is written. */
static inline void petite_store_bytes_mve(int8_t *to, int32x4_t vector, int32_t lanes)
{
	/* GCC 12 takes three instructions to move a predicate to where it is used. */
	if (lanes >= 4) {
		vstrbq_s32(to, vector);
	} else {
		vstrbq_p_s32(to, vector, vctp32q((uint32_t)lanes));
	}
}

#endif /* PETITE_KERNELS_COMMON_BYTES_MVE_H */
