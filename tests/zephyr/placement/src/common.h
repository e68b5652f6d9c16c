/* SPDX-License-Identifier: Apache-2.0 */
/* Memories of the board, and assertions about what lies in them. */
#ifndef COMMON_H
#define COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include <zephyr/devicetree.h>
#include <zephyr/ztest.h>

#include <kernels/conv2d/conv2d_s8.h>
#include <kernels/depthwise_conv2d/depthwise_conv2d_s8.h>

#include <petite/petite.h>

struct memory {
	uintptr_t base;
	uintptr_t size;
};

#define MEMORY_OF(label)                                                                           \
	((struct memory){DT_REG_ADDR(DT_NODELABEL(label)), DT_REG_SIZE(DT_NODELABEL(label))})

#ifdef CONFIG_ARM
#define FLASH ((struct memory){CONFIG_FLASH_BASE_ADDRESS, CONFIG_FLASH_SIZE * 1024})
#define RAM ((struct memory){CONFIG_SRAM_BASE_ADDRESS, CONFIG_SRAM_SIZE * 1024})
#else
/* A process: everything is somewhere, and there is nothing to choose from. */
#define FLASH ((struct memory){0, UINTPTR_MAX})
#define RAM ((struct memory){0, UINTPTR_MAX})
#endif
#define ITCM MEMORY_OF(itcm)
#define DTCM MEMORY_OF(dtcm)
#define DDR4 MEMORY_OF(ddr4)

bool lies_in(const void *data, struct memory memory);

/* That a constant array lies in a memory, aligned as its elements want it. */
#define assert_constant_in(array, memory)                                                          \
	do {                                                                                       \
		zassert_true(lies_in(array, memory), "%s lies at %p", #array, array);              \
		zassert_equal((uintptr_t)(array) % sizeof(*(array)), 0, "%s lies at %p", #array,   \
			      array);                                                              \
	} while (false)

/* That inputs, outputs and what is between lie in a memory, at multiples of 16. */
void assert_arena_in(const struct petite_plan *plan, struct memory memory);

/* That all of a model's constants lie in a memory. */
void assert_constants_in(const struct petite_checksums *checksums, struct memory memory);

/* That a model's constants, however placed, hold what those of the model left in flash hold. */
void assert_same_constants(const struct petite_checksums *checksums);

/* The two convolutions of separable_block. */
const struct petite_depthwise_conv2d_s8 *depthwise_of(const struct petite_plan *plan);
const struct petite_conv2d_s8 *conv2d_of(const struct petite_plan *plan);

#endif /* COMMON_H */
