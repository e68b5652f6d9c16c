/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/softmax/log_softmax_f32.h"
#include "../../kernels/softmax/softmax_f32.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "aten.h"

/** Rows that lie together in memory, and where their result is computed. */
struct rows {
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	int32_t count;
	int32_t columns;
};

/** (x, dim, half to float, output). The dimension is moved to be the innermost, and back. */
static void take(struct petite_call *call, struct rows *rows)
{
	uint8_t order[PETITE_LOAD_RANK] = {0};
	uint32_t dimension;
	uint32_t at = 0;
	uint32_t used = 0;

	petite_call_input(call, 0, PETITE_F32, &rows->input);
	petite_call_output(call, petite_call_argument_count(call) - 1, PETITE_F32, &rows->output);
	dimension = petite_call_dimension(call, 1, rows->input.rank);
	petite_call_require(call, petite_same_sizes(&rows->input, &rows->output));
	rows->target = rows->output;
	rows->count = 0;
	if (petite_call_failed(call) || rows->output.count == 0) {
		return;
	}
	for (uint32_t k = 0; k < rows->output.rank; k++) {
		if (rows->output.order[k] != dimension) {
			order[at++] = rows->output.order[k];
		}
	}
	order[at] = (uint8_t)dimension;
	petite_call_in_order(call, &used, &rows->input, order);
	if (!petite_is_innermost(&rows->output, dimension) && rows->output.rank > 0) {
		for (uint32_t k = 0; k < rows->output.rank; k++) {
			rows->target.order[k] = order[k];
		}
		petite_call_scratch_tensor(call, &used, &rows->target);
	}
	rows->columns = rows->output.rank == 0 ? 1 : rows->output.sizes[dimension];
	rows->count = rows->output.count / rows->columns;
}

void petite_prepare_softmax_f32(struct petite_call *call)
{
	struct rows rows;
	struct petite_softmax_f32 params;

	take(call, &rows);
	if (rows.count == 0) {
		return;
	}
	params = (struct petite_softmax_f32){
		.input = rows.input.data,
		.output = rows.target.data,
		.rows = rows.count,
		.columns = rows.columns,
	};
	petite_call_step(call, petite_softmax_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &rows.target, &rows.output);
}

void petite_prepare_log_softmax_f32(struct petite_call *call)
{
	struct rows rows;
	struct petite_log_softmax_f32 params;

	take(call, &rows);
	if (rows.count == 0) {
		return;
	}
	params = (struct petite_log_softmax_f32){
		.input = rows.input.data,
		.output = rows.target.data,
		.rows = rows.count,
		.columns = rows.columns,
	};
	petite_call_step(call, petite_log_softmax_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &rows.target, &rows.output);
}
