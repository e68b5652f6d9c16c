/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are loaded with the table of operators that Kconfig makes. */
#include <string.h>

#include <zephyr/ztest.h>

#include <petite/loader.h>
#include <petite/petite.h>

#include "petite_operators.h"
#include "programs.h"

#include "attention_golden.h"
#include "methods_conv_and_float_golden.h"
#include "residual_downsample_golden.h"
#include "separable_block_golden.h"
#include "squeeze_excite_golden.h"
#include "state_recurrent_golden.h"
#include "two_inputs_golden.h"

#define METHODS 2

static uint8_t structures[METHODS][4096] __aligned(PETITE_LOAD_ALIGNMENT);
static uint8_t arenas[METHODS][16384] __aligned(PETITE_LOAD_ALIGNMENT);

static struct petite_program program_of(const struct bytes *bytes, const char *method)
{
	return (struct petite_program){bytes->data, bytes->size, method, &petite_operators, NULL};
}

static const struct petite_plan *load(const struct bytes *bytes, const char *method, int place)
{
	const struct petite_program program = program_of(bytes, method);
	const struct petite_load_memory memory = {structures[place], sizeof(structures[place]),
						  arenas[place], sizeof(arenas[place])};
	const struct petite_plan *plan = NULL;
	struct petite_load_fault fault;
	enum petite_status status = petite_load(&program, &memory, &plan, &fault);

	zassert_ok(status, "status %d at byte %u, operator %s", status, fault.byte,
		   fault.operator_name == NULL ? "-" : fault.operator_name);
	return plan;
}

static void check(const struct bytes *bytes, const struct golden *golden)
{
	const struct petite_plan *plan = load(bytes, NULL, 0);

	golden_check(golden, &plan);
}

ZTEST_SUITE(loading, NULL, NULL, NULL, NULL, NULL);

ZTEST(loading, test_quantised_programs)
{
	check(&attention, &attention_golden);
	check(&residual_downsample, &residual_downsample_golden);
	check(&separable_block, &separable_block_golden);
	check(&squeeze_excite, &squeeze_excite_golden);
	check(&two_inputs, &two_inputs_golden);
}

ZTEST(loading, test_states)
{
	check(&state_recurrent, &state_recurrent_golden);
}

/* Its method `scale` clamps, and multiplies float32. */
ZTEST(loading, test_program_that_needs_more_groups)
{
	const struct petite_plan *plans[METHODS] = {
		load(&methods_conv_and_float, "forward", 0),
	};
	const struct petite_program program = program_of(&methods_conv_and_float, "scale");
	struct petite_load_need need;
	struct petite_load_fault fault;

	if (IS_ENABLED(CONFIG_PETITE_OPERATORS_ALL) ||
	    IS_ENABLED(CONFIG_PETITE_OPERATORS_ACTIVATIONS)) {
		plans[1] = load(&methods_conv_and_float, "scale", 1);
		golden_check(&methods_conv_and_float_golden, plans);
		return;
	}
	zassert_equal(petite_load_plan(&program, &need, &fault), PETITE_ERR_NOT_REGISTERED);
	zassert_str_equal(fault.operator_name, "aten::clamp");
	zassert_str_equal(fault.overload, "out");
	zassert_equal(fault.instruction, 1);
}
