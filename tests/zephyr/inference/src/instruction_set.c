/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set that Kconfig derives from the core is one that the compiler was told of. */
#include <zephyr/ztest.h>

ZTEST_SUITE(instruction_set, NULL, NULL, NULL, NULL, NULL);

ZTEST(instruction_set, test_compiler_has_what_was_chosen)
{
	bool helium = false;
	bool dsp = false;

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
	helium = true; /* integer and float */
#endif
#ifdef __ARM_FEATURE_DSP
	dsp = true;
#endif
	if (IS_ENABLED(CONFIG_PETITE_HELIUM)) {
		zassert_true(helium);
	}
	if (IS_ENABLED(CONFIG_PETITE_DSP)) {
		zassert_true(dsp);
	}
	zassert_equal(1, IS_ENABLED(CONFIG_PETITE_HELIUM) + IS_ENABLED(CONFIG_PETITE_DSP) +
				 IS_ENABLED(CONFIG_PETITE_SCALAR));
}

ZTEST(instruction_set, test_default_of_the_core)
{
#if defined(CONFIG_TEST_OTHER_INSTRUCTION_SET)
	ztest_test_skip();
#elif defined(CONFIG_CPU_CORTEX_M4)
	zassert_true(IS_ENABLED(CONFIG_PETITE_DSP));
#elif defined(CONFIG_CPU_CORTEX_M55) || defined(CONFIG_CPU_CORTEX_M85)
	zassert_true(IS_ENABLED(CONFIG_PETITE_HELIUM));
#else
	zassert_true(IS_ENABLED(CONFIG_PETITE_SCALAR));
#endif
}
