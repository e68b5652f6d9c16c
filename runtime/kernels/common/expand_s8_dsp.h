/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Runs of int8 as pairs of int16, for SMLAD.
 *
 * Of four bytes, the first and the third become a pair, then the second and the fourth: that is
 * what SXTB16 makes. The one to three bytes at the end of a run keep their order, and zero fills
 * the last pair. Packed weights have the same order.
 */
#ifndef PETITE_KERNELS_COMMON_EXPAND_S8_DSP_H
#define PETITE_KERNELS_COMMON_EXPAND_S8_DSP_H

#include <stdint.h>

/** Two numbers as the halfwords of a word, the first in the lower one. */
static inline int32_t petite_pair_dsp(int32_t first, int32_t second)
{
	return (int32_t)(((uint32_t)first & 0xFFFF) | (uint32_t)second << 16);
}

/** A run of one pixel and one of another, read in turn; and their sums. */
struct petite_expand_dsp {
	const int8_t *from[2];
	/** A word of the first, a word of the second, and so on. */
	int32_t *to;
	int32_t sum[2];
};

/** The end of a run: up to two bytes. */
static inline void petite_expand_end_dsp(struct petite_expand_dsp *e, int32_t count)
{
	for (int32_t k = 0; k < 2; k++) {
		const int32_t first = *e->from[k]++;
		const int32_t second = count > 1 ? *e->from[k]++ : 0;

		*e->to++ = petite_pair_dsp(first, second);
		e->sum[k] += first + second;
	}
}

/** Go on with so many bytes of both; at least 1. */
static inline void petite_expand_dsp(struct petite_expand_dsp *e, int32_t count)
{
	const int8_t *const end = e->from[0] + (count & ~3);
	uint32_t a;
	uint32_t b;
	uint32_t c;

	if (count >= 4) {
		__asm__ volatile("1:	ldr %[a], [%[from0]], #4\n"
				 "	ldr %[b], [%[from1]], #4\n"
				 "	sxtb16 %[c], %[a]\n"
				 "	sxtb16 %[a], %[a], ror #8\n"
				 "	smlad %[sum0], %[c], %[ones], %[sum0]\n"
				 "	smlad %[sum0], %[a], %[ones], %[sum0]\n"
				 "	str %[c], [%[to]], #4\n"
				 "	sxtb16 %[c], %[b]\n"
				 "	sxtb16 %[b], %[b], ror #8\n"
				 "	smlad %[sum1], %[c], %[ones], %[sum1]\n"
				 "	smlad %[sum1], %[b], %[ones], %[sum1]\n"
				 "	strd %[c], %[a], [%[to]], #8\n"
				 "	str %[b], [%[to]], #4\n"
				 "	cmp %[from0], %[end]\n"
				 "	bne 1b\n"
				 : [from0] "+&r"(e->from[0]), [from1] "+&r"(e->from[1]),
				   [to] "+&r"(e->to), [sum0] "+&r"(e->sum[0]),
				   [sum1] "+&r"(e->sum[1]), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c)
				 : [end] "r"(end), [ones] "r"(0x00010001)
				 : "cc", "memory");
	}
	if (count & 2) {
		petite_expand_end_dsp(e, 2);
	}
	if (count & 1) {
		petite_expand_end_dsp(e, 1);
	}
}

/** One run, filled up with zero to an even number of pairs; returns its sum. */
static inline int32_t petite_expand_run_dsp(const int8_t *from, int32_t count, int32_t *to)
{
	int32_t sum = 0;
	int32_t a;
	int32_t b;

	for (; count >= 4; count -= 4) {
		__asm__ volatile("	ldr %[a], [%[from]], #4\n"
				 "	sxtb16 %[b], %[a], ror #8\n"
				 "	sxtb16 %[a], %[a]\n"
				 "	smlad %[sum], %[a], %[ones], %[sum]\n"
				 "	smlad %[sum], %[b], %[ones], %[sum]\n"
				 "	strd %[a], %[b], [%[to]], #8\n"
				 : [from] "+&r"(from), [to] "+&r"(to), [sum] "+&r"(sum),
				   [a] "=&r"(a), [b] "=&r"(b)
				 : [ones] "r"(0x00010001)
				 : "memory");
	}
	if (count > 0) {
		const int32_t first = from[0];
		const int32_t second = count > 1 ? from[1] : 0;
		const int32_t third = count > 2 ? from[2] : 0;

		*to++ = petite_pair_dsp(first, second);
		*to = petite_pair_dsp(third, 0);
		sum += first + second + third;
	}
	return sum;
}

#endif /* PETITE_KERNELS_COMMON_EXPAND_S8_DSP_H */
