/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/layout.h"
#include "../common/movement.h"
#include "prim.h"

/** (a, b, result) */
void petite_prepare_add_numbers(struct petite_call *call)
{
	int64_t sum = (int64_t)petite_call_int(call, 0) + petite_call_int(call, 1);

	petite_call_set_number(call, 2, PETITE_S64, sum);
}

/** (a, b, result) */
void petite_prepare_subtract_numbers(struct petite_call *call)
{
	int64_t difference = (int64_t)petite_call_int(call, 0) - petite_call_int(call, 1);

	petite_call_set_number(call, 2, PETITE_S64, difference);
}

/** (a, b, result) */
void petite_prepare_are_numbers_equal(struct petite_call *call)
{
	int64_t a = petite_call_long(call, 0);

	petite_call_set_number(call, 2, PETITE_BOOL, a == petite_call_long(call, 1));
}

/** (tensor, dim, result) */
void petite_prepare_number_of_size(struct petite_call *call)
{
	struct petite_load_tensor tensor;
	uint32_t dimension;

	petite_call_tensor(call, 0, &tensor);
	dimension = petite_call_dimension(call, 1, tensor.rank);
	petite_call_require(call, tensor.rank > 0);
	if (!petite_call_failed(call)) {
		petite_call_set_number(call, 2, PETITE_S64, tensor.sizes[dimension]);
	}
}

/** (rows, row, index): the tensor of rows grows by a row */
void petite_prepare_copy_row(struct petite_call *call)
{
	int32_t index = petite_call_int(call, 2);
	struct petite_load_tensor source;
	struct petite_load_tensor whole;
	struct petite_load_tensor row;

	petite_call_input(call, 1, 0, &source);
	petite_call_require(call, index < INT32_MAX);
	petite_call_grown(call, 0, source.dtype, petite_call_failed(call) ? 0 : index + 1, &whole);
	petite_call_require(call, whole.order[0] == 0);
	if (petite_call_failed(call)) {
		return;
	}
	row = whole;
	row.rank--;
	row.count /= whole.sizes[0];
	for (uint32_t k = 0; k < row.rank; k++) {
		row.sizes[k] = whole.sizes[k + 1];
		row.order[k] = (uint8_t)(whole.order[k + 1] - 1);
	}
	row.data = petite_behind(whole.data, (uint32_t)index * (uint32_t)row.count *
						     petite_element_size(row.dtype));
	petite_call_require(call, petite_same_sizes(&source, &row));
	petite_call_expand(call, &source, &row);
}
