/* SPDX-License-Identifier: Apache-2.0 */
#include <petite/registry.h>
#include <registry/operator_steps.h>

#include "check.h"
#include "model.h"

static const struct petite_operator_call *seen;

static enum petite_status first(const struct petite_operator_call *call)
{
	seen = call;
	return PETITE_OK;
}

static enum petite_status second(const struct petite_operator_call *call)
{
	seen = call;
	return PETITE_ERR_OPERATOR;
}

PETITE_REGISTRY(registry, 2);

static const char *const names[] = {"a::one.out", "a::two.out"};
static petite_operator functions[2];
static const struct petite_operators operators = {names, functions, &context.busy, 2};
static const struct petite_require_bound bound = {&operators};

static void register_both(void)
{
	CHECK(petite_register(&registry, "a::one.out", first) == PETITE_OK);
	CHECK(petite_register(&registry, "a::two.out", second) == PETITE_OK);
}

TEST(a_duplicate_changes_nothing)
{
	/* Another array with the same name. */
	char name[] = "a::one.out";

	CHECK(petite_register(&registry, "a::one.out", first) == PETITE_OK);
	CHECK(petite_register(&registry, name, second) == PETITE_ERR_DUPLICATE);
	CHECK(registry.count == 1 && registry.entries[0].function == first);
}

TEST(a_name_may_start_another)
{
	CHECK(petite_register(&registry, "a::one", first) == PETITE_OK);
	CHECK(petite_register(&registry, "a::one.out", second) == PETITE_OK);
	CHECK(registry.count == 2);
}

TEST(a_full_registry_takes_no_more)
{
	register_both();
	CHECK(petite_register(&registry, "a::three.out", first) == PETITE_ERR_FULL);
	CHECK(petite_register(&registry, "a::two.out", first) == PETITE_ERR_DUPLICATE);
	CHECK(registry.count == 2 && registry.entries[1].function == second);
}

TEST(null_is_refused)
{
	const char *missing = "untouched";

	CHECK(petite_register(NULL, "a::one.out", first) == PETITE_ERR_ARGUMENT);
	CHECK(petite_register(&registry, NULL, first) == PETITE_ERR_ARGUMENT);
	CHECK(petite_register(&registry, "a::one.out", NULL) == PETITE_ERR_ARGUMENT);
	CHECK(registry.count == 0);
	CHECK(petite_bind(NULL, &registry, &missing) == PETITE_ERR_ARGUMENT && missing == NULL);
	CHECK(petite_bind(&operators, NULL, NULL) == PETITE_ERR_ARGUMENT);
}

TEST(a_missing_name_is_told)
{
	const char *missing = NULL;

	CHECK(petite_bind(&operators, &registry, &missing) == PETITE_ERR_NOT_REGISTERED);
	CHECK(missing == names[0]);
	CHECK(petite_register(&registry, "a::one.out", first) == PETITE_OK);
	CHECK(petite_bind(&operators, &registry, &missing) == PETITE_ERR_NOT_REGISTERED);
	CHECK(missing == names[1]);
	CHECK(petite_bind(&operators, &registry, NULL) == PETITE_ERR_NOT_REGISTERED);
	CHECK(functions[0] == NULL && functions[1] == NULL);
	CHECK(petite_require_bound(&bound) == PETITE_ERR_NOT_BOUND);
}

TEST(all_are_bound)
{
	const char *missing = "something";

	register_both();
	CHECK(petite_bind(&operators, &registry, &missing) == PETITE_OK && missing == NULL);
	CHECK(functions[0] == first && functions[1] == second);
	CHECK(petite_require_bound(&bound) == PETITE_OK);
}

TEST(a_failed_binding_leaves_the_last)
{
	static struct petite_registry_entry entry;
	struct petite_registry other = {&entry, 1, 0};

	register_both();
	CHECK(petite_bind(&operators, &registry, NULL) == PETITE_OK);
	CHECK(petite_register(&other, "a::one.out", second) == PETITE_OK);
	CHECK(petite_bind(&operators, &other, NULL) == PETITE_ERR_NOT_REGISTERED);
	CHECK(functions[0] == first && functions[1] == second);
}

TEST(a_running_model_is_not_bound)
{
	register_both();
	context.busy = 1;
	CHECK(petite_bind(&operators, &registry, NULL) == PETITE_ERR_BUSY);
	CHECK(functions[0] == NULL && functions[1] == NULL);
}

TEST(a_step_calls_its_function)
{
	const struct petite_call_operator one = {.function = &functions[0]};
	const struct petite_call_operator two = {.function = &functions[1]};

	register_both();
	CHECK(petite_bind(&operators, &registry, NULL) == PETITE_OK);
	CHECK(petite_call_operator(&one) == PETITE_OK && seen == &one.call);
	CHECK(petite_call_operator(&two) == PETITE_ERR_OPERATOR && seen == &two.call);
}

static enum petite_status skipping(const struct petite_operator_call *call)
{
	seen = call;
	return (enum petite_status)1;
}

TEST(an_operator_skips_no_steps)
{
	const struct petite_call_operator one = {.function = &functions[0]};

	CHECK(petite_register(&registry, "a::one.out", skipping) == PETITE_OK);
	CHECK(petite_register(&registry, "a::two.out", second) == PETITE_OK);
	CHECK(petite_bind(&operators, &registry, NULL) == PETITE_OK);
	CHECK(petite_call_operator(&one) == PETITE_ERR_OPERATOR && seen == &one.call);
}

TESTS(ENTRY(a_duplicate_changes_nothing), ENTRY(a_name_may_start_another),
      ENTRY(a_full_registry_takes_no_more), ENTRY(null_is_refused), ENTRY(a_missing_name_is_told),
      ENTRY(all_are_bound), ENTRY(a_failed_binding_leaves_the_last),
      ENTRY(a_running_model_is_not_bound), ENTRY(a_step_calls_its_function),
      ENTRY(an_operator_skips_no_steps))
