/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/pad/pad.h"

#include <string.h>

#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

/** (input, pads from the last dimension backwards, value, output) */
void petite_prepare_constant_pad(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_pad params = {0};
	int32_t pads[2 * PETITE_LOAD_RANK];
	uint32_t used = 0;
	uint32_t count = petite_call_ints(call, 1, pads, 2 * PETITE_LOAD_RANK);

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_require(call, input.rank == output.rank && count % 2 == 0 &&
					  count <= 2u * input.rank);
	petite_call_in_order(call, &used, &input, output.order);
	for (uint32_t k = 0; k < PETITE_LOAD_RANK; k++) {
		params.input_dims[k] = 1;
	}
	for (uint32_t k = 0; k < output.rank && !petite_call_failed(call); k++) {
		uint32_t dimension = output.order[k];
		uint32_t from_last = output.rank - 1u - dimension;
		uint32_t at = PETITE_LOAD_RANK - output.rank + k;
		bool is_padded = 2 * from_last < count;
		int32_t before = is_padded ? pads[2 * from_last] : 0;
		int32_t after = is_padded ? pads[2 * from_last + 1] : 0;

		params.input_dims[at] = input.sizes[dimension];
		params.before[at] = before;
		params.after[at] = after;
		petite_call_require(call,
				    before >= 0 && after >= 0 &&
					    (int64_t)input.sizes[dimension] + before + after ==
						    output.sizes[dimension]);
	}
	/* Nothing but padding is what the kernel does not take. */
	petite_call_require(call, input.count > 0 || output.count == 0);
	if (petite_call_failed(call) || output.count == 0) {
		return;
	}
	params.input = input.data;
	params.output = output.data;
	params.element_size = (int32_t)petite_element_size(input.dtype);
	petite_call_number_bytes(call, 2, input.dtype, params.fill);
	petite_call_step(call, petite_pad_scalar, &params, sizeof(params));
}
