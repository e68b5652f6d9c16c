/* SPDX-License-Identifier: Apache-2.0 */
#include "reduction.h"

#include "../../kernels/reduce/reduce.h"
#include "layout.h"
#include "movement.h"
#include "real.h"

uint32_t petite_all_dimensions(uint32_t rank)
{
	return (1u << rank) - 1;
}

uint32_t petite_call_dimensions(struct petite_call *call, uint32_t position, uint32_t rank)
{
	int32_t given[PETITE_LOAD_RANK];
	uint32_t count = 1;
	uint32_t seen = 0;

	if (petite_call_is_none(call, position)) {
		return petite_all_dimensions(rank);
	}
	if (petite_call_number_type(call, position) != 0) {
		given[0] = petite_call_int(call, position);
	} else {
		count = petite_call_ints(call, position, given, PETITE_LOAD_RANK);
	}
	for (uint32_t k = 0; k < count && !petite_call_failed(call); k++) {
		uint32_t dimension = petite_as_dimension(call, given[k], rank);

		petite_call_require(call, (seen >> dimension & 1) == 0);
		seen |= 1u << dimension;
	}
	seen &= petite_all_dimensions(rank);
	return seen == 0 ? petite_all_dimensions(rank) : seen;
}

int32_t petite_count_along(const struct petite_load_tensor *tensor, uint32_t dimensions)
{
	int32_t count = 1;

	for (uint32_t k = 0; k < tensor->rank; k++) {
		count *= (dimensions >> k & 1) != 0 ? tensor->sizes[k] : 1;
	}
	return count;
}

/** Fail unless an output has the sizes of the dimensions that stay. */
static void check_sizes(struct petite_call *call, const struct petite_load_tensor *input,
			uint32_t dimensions, const struct petite_load_tensor *output)
{
	bool keeps = output->rank == input->rank;
	uint32_t at = 0;

	for (uint32_t k = 0; k < input->rank && !petite_call_failed(call); k++) {
		bool is_reduced = (dimensions >> k & 1) != 0;

		if (is_reduced && !keeps) {
			continue;
		}
		petite_call_require(call, at < output->rank &&
						  output->sizes[at] ==
							  (is_reduced ? 1 : input->sizes[k]));
		at++;
	}
	petite_call_require(call, at == output->rank);
}

void petite_call_reduce(struct petite_call *call, petite_kernel kernel, uint32_t *used,
			const struct petite_load_tensor *input, uint32_t dimensions,
			const struct petite_load_tensor *output, float divisor)
{
	struct petite_reduce params = {.input = input->data, .divisor = divisor};
	struct petite_load_tensor target = petite_call_target(call, used, output);
	int32_t own[PETITE_LOAD_RANK] = {0};
	uint32_t kept = PETITE_LOAD_RANK;
	uint32_t reduced = PETITE_LOAD_RANK;

	check_sizes(call, input, dimensions, output);
	if (petite_call_failed(call) || output->count == 0) {
		return;
	}
	petite_strides_of(input, own);
	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		params.dims[k] = 1;
		params.reduce_dims[k] = 1;
	}
	for (uint32_t k = input->rank; k-- > 0;) {
		if ((dimensions >> k & 1) != 0) {
			reduced--;
			params.reduce_dims[reduced] = input->sizes[k];
			params.reduce_strides[reduced] = own[k];
		} else {
			kept--;
			params.dims[kept] = input->sizes[k];
			params.strides[kept] = own[k];
		}
	}
	params.output = target.data;
	petite_call_step(call, kernel, &params, sizeof(params));
	petite_call_deliver(call, &target, output);
}

float petite_variance_divisor(int32_t count, double correction)
{
	double divisor = count - correction;

	return divisor > 0 ? (float)divisor : PETITE_NAN;
}
