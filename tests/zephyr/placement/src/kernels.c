/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code of the kernels lies. */
#include "common.h"

#include "separable_block.h"

ZTEST_SUITE(placement_of_kernels, NULL, NULL, NULL, NULL, NULL);

ZTEST(placement_of_kernels, test_code)
{
	for (uint32_t i = 0; i < separable_block_plan.step_count; i++) {
		const void *code = (const void *)separable_block_plan.steps[i].run;

#ifdef CONFIG_PETITE_KERNELS_IN_ITCM
		zassert_true(lies_in(code, ITCM), "kernel of step %u at %p", i, code);
#else
		zassert_true(lies_in(code, FLASH), "kernel of step %u at %p", i, code);
#endif
	}
}
