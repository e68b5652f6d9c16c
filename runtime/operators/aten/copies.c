/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../common/layout.h"
#include "../common/movement.h"
#include "aten.h"

/** (input, ..., output): the same elements, in the output's order in memory */
void petite_prepare_same(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_require(call, petite_same_sizes(&input, &output));
	petite_call_expand(call, &input, &output);
}

/** (input, size, implicit, output) */
void petite_prepare_expand(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_expand(call, &input, &output);
}

/** (self, source, output): the output takes the source, in the shape of self */
void petite_prepare_copy(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 1, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	petite_call_expand(call, &input, &output);
}

/** Copy elements in logical order: the two have as many elements, but other sizes. */
static void reshape(struct petite_call *call, struct petite_load_tensor *input,
		    const struct petite_load_tensor *output)
{
	struct petite_load_tensor view = *output;
	uint32_t used = 0;

	petite_call_require(call, input->count == output->count);
	if (petite_is_contiguous(output)) {
		view = *input;
		view.data = output->data;
		petite_set_contiguous(&view);
		petite_call_expand(call, input, &view);
		return;
	}
	petite_call_contiguous(call, &used, input);
	view.data = input->data;
	petite_set_contiguous(&view);
	petite_call_expand(call, &view, output);
}

/** (input, ..., output): view_copy, squeeze_copy, unsqueeze_copy: the output's shape says it all */
void petite_prepare_reshape(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 0, 0, &input);
	petite_call_output(call, petite_call_argument_count(call) - 1, input.dtype, &output);
	reshape(call, &input, &output);
}

/** (input, size, output): the output is the input's bytes, unless the file has them elsewhere */
void petite_prepare_et_view(struct petite_call *call)
{
	struct petite_load_tensor input;
	struct petite_load_tensor output;

	petite_call_input(call, 0, 0, &input);
	petite_call_tensor(call, petite_call_argument_count(call) - 1, &output);
	if (input.is_constant && output.is_constant) {
		/* Both are in the file, and nothing is written. */
		return;
	}
	if (input.data == output.data && !input.is_constant && !output.is_constant) {
		petite_call_require(call, input.dtype == output.dtype &&
						  input.count == output.count &&
						  petite_is_contiguous(&input) &&
						  petite_is_contiguous(&output));
		return;
	}
	petite_prepare_reshape(call);
}

/** (self, source, non-blocking, self again): self takes the source */
void petite_prepare_copy_in_place(struct petite_call *call)
{
	struct petite_load_tensor self;
	struct petite_load_tensor source;
	struct petite_load_tensor output;

	petite_call_input(call, 1, 0, &source);
	petite_call_output(call, 0, source.dtype, &self);
	petite_call_tensor(call, petite_call_argument_count(call) - 1, &output);
	petite_call_require(call, output.data == self.data && !output.is_constant &&
					  petite_same_layout(&self, &output) &&
					  self.dtype == output.dtype);
	petite_call_expand(call, &source, &self);
}
