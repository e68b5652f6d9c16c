/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of small tests: TEST(name) { CHECK(...); }, then a table TESTS(...) of all names. The
 * program runs the test that its argument names, and ends with 1 where a check fails.
 */
#ifndef RUNTIME_TESTING_CHECK_H
#define RUNTIME_TESTING_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) static void test_##name(void)

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

struct test {
	const char *name;
	void (*run)(void);
};

#define ENTRY(name) {#name, test_##name}

static int run_named_test(int argc, char **argv, const struct test *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (argc == 2 && strcmp(argv[1], tests[i].name) == 0) {
			tests[i].run();
			return 0;
		}
	}
	fprintf(stderr, "no test of that name\n");
	return 2;
}

#define TESTS(...)                                                                                 \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		static const struct test tests[] = {__VA_ARGS__};                                  \
                                                                                                   \
		return run_named_test(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));        \
	}

#endif /* RUNTIME_TESTING_CHECK_H */
