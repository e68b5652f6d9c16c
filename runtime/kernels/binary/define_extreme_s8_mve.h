/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines minimum and maximum of int8 for Helium; only their files include this.
 */
#ifndef PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_MVE_H
#define PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_MVE_H

#include <arm_mve.h>

#include "define_extreme_s8.h"

/**
 * Define petite_binary_<function>_s8_mve().
 *
 * Compilers make more instructions of each turn than the loops below have.
 *
 * @param instruction As text.
 */
#define PETITE_DEFINE_EXTREME_S8_MVE(function, instruction)                                        \
	static void compare_runs(const int8_t *a, const int8_t *b, int8_t *output, int32_t count)  \
	{                                                                                          \
		__asm__ volatile("	wlstp.8 lr, %[count], 2f\n"                                     \
				 "1:	vldrb.u8 q0, [%[a]], #16\n"                                   \
				 "	vldrb.u8 q1, [%[b]], #16\n"                                     \
				 "	" instruction " q0, q0, q1\n"                              \
				 "	vstrb.8 q0, [%[output]], #16\n"                                 \
				 "	letp lr, 1b\n"                                                  \
				 "2:"                                                              \
				 : [a] "+r"(a), [b] "+r"(b), [output] "+r"(output)                 \
				 : [count] "r"(count)                                              \
				 : "lr", "q0", "q1", "memory");                                    \
	}                                                                                          \
                                                                                                   \
	static void compare_with(int8_t value, const int8_t *run, int8_t *output, int32_t count)   \
	{                                                                                          \
		const int8x16_t bound = vdupq_n_s8(value);                                         \
                                                                                                   \
		__asm__ volatile("	wlstp.8 lr, %[count], 2f\n"                                     \
				 "1:	vldrb.u8 q0, [%[run]], #16\n"                                 \
				 "	" instruction " q0, q0, %q[bound]\n"                       \
				 "	vstrb.8 q0, [%[output]], #16\n"                                 \
				 "	letp lr, 1b\n"                                                  \
				 "2:"                                                              \
				 : [run] "+r"(run), [output] "+r"(output)                          \
				 : [count] "r"(count), [bound] "w"(bound)                          \
				 : "lr", "q0", "memory");                                          \
	}                                                                                          \
                                                                                                   \
	PETITE_DEFINE_EXTREME_S8(function, mve)

#endif /* PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_MVE_H */
