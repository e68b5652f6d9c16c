/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"

#include "separable_block.h"

bool lies_in(const void *data, struct memory memory)
{
	return (uintptr_t)data - memory.base < memory.size;
}

void assert_arena_in(const struct petite_plan *plan, struct memory memory)
{
	const void *buffers[] = {plan->inputs[0].data, plan->outputs[0].data,
				 conv2d_of(plan)->input, conv2d_of(plan)->output};

	for (size_t i = 0; i < ARRAY_SIZE(buffers); i++) {
		zassert_true(lies_in(buffers[i], memory), "buffer %zu at %p", i, buffers[i]);
		zassert_equal((uintptr_t)buffers[i] % 16, 0, "buffer %zu at %p", i, buffers[i]);
	}
}

void assert_constants_in(const struct petite_checksums *checksums, struct memory memory)
{
	zassert_true(checksums->count > 4);
	for (uint32_t i = 0; i < checksums->count; i++) {
		zassert_true(lies_in(checksums->items[i].data, memory), "constant %u at %p", i,
			     checksums->items[i].data);
	}
}

void assert_same_constants(const struct petite_checksums *checksums)
{
	zassert_equal(checksums->count, separable_block_checksums.count);
	for (uint32_t i = 0; i < checksums->count; i++) {
		const struct petite_checksum *here = &checksums->items[i];
		const struct petite_checksum *there = &separable_block_checksums.items[i];

		zassert_equal(here->size, there->size);
		zassert_not_equal(here->data, there->data);
		zassert_mem_equal(here->data, there->data, here->size, "constant %u", i);
	}
}

const struct petite_depthwise_conv2d_s8 *depthwise_of(const struct petite_plan *plan)
{
	return plan->steps[1].params;
}

const struct petite_conv2d_s8 *conv2d_of(const struct petite_plan *plan)
{
	return plan->steps[2].params;
}
