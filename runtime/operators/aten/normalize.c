/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>

#include "../../kernels/batch_norm/batch_norm_f32.h"
#include "../../kernels/binary/binary.h"
#include "../../kernels/normalize/normalize_f32.h"
#include "../../kernels/reduce/reduce.h"
#include "../../kernels/unary/unary.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "../common/reduction.h"
#include "aten.h"

/** Weights or a bias: dense, of so many elements. NULL where they are absent. */
static const float *numbers_of(struct petite_call *call, uint32_t position, int32_t count,
			       uint32_t *used)
{
	struct petite_load_tensor tensor;

	if (petite_call_is_none(call, position)) {
		return NULL;
	}
	petite_call_input(call, position, PETITE_F32, &tensor);
	petite_call_require(call, tensor.count == count);
	petite_call_contiguous(call, used, &tensor);
	return tensor.data;
}

/** 1 / sqrt(variance + epsilon), into a target. */
static void invert_deviation(struct petite_call *call, uint32_t *used,
			     const struct petite_load_tensor *variance, float epsilon,
			     const struct petite_load_tensor *target)
{
	struct petite_load_tensor element;
	struct petite_load_tensor moved = petite_call_between(call, used, PETITE_F32, variance);
	uint8_t bytes[8] = {0};

	petite_call_float_bytes(epsilon, bytes);
	petite_call_element(call, PETITE_F32, bytes, &element);
	petite_call_binary(call, petite_binary_add_f32_scalar, variance, &element, &moved);
	petite_call_unary(call, petite_unary_rsqrt_f32_scalar, used, &moved, target);
}

/** The sizes of a matrix. */
static void set_matrix(struct petite_load_tensor *tensor, int32_t rows, int32_t columns)
{
	tensor->rank = 2;
	tensor->sizes[0] = rows;
	tensor->sizes[1] = columns;
	petite_set_contiguous(tensor);
}

static void set_vector(struct petite_load_tensor *tensor)
{
	tensor->rank = 1;
	tensor->sizes[0] = tensor->count;
	petite_set_contiguous(tensor);
}

/** A normalisation of rows: all that is in its kernel's parameters but addresses. */
struct normalization {
	struct petite_load_tensor input;
	struct petite_normalize_f32 params;
	uint32_t used;
};

/** What training needs of each row: means and inverse deviations. They are outputs too. */
static void write_moments(struct petite_call *call, struct normalization *own)
{
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor mean;
	struct petite_load_tensor inverse;
	struct petite_load_tensor variance;
	struct petite_load_tensor rows = own->input;

	petite_call_output(call, count - 3, PETITE_F32, &mean);
	petite_call_output(call, count - 2, PETITE_F32, &inverse);
	petite_call_require(call,
			    mean.count == own->params.rows && inverse.count == own->params.rows &&
				    petite_is_contiguous(&mean) && petite_is_contiguous(&inverse));
	set_matrix(&rows, own->params.rows, own->params.columns);
	set_vector(&mean);
	set_vector(&inverse);
	petite_call_reduce(call, petite_reduce_mean_f32_scalar, &own->used, &rows, 2, &mean,
			   (float)own->params.columns);
	variance = petite_call_between(call, &own->used, PETITE_F32, &mean);
	petite_call_reduce(call, petite_reduce_var_f32_scalar, &own->used, &rows, 2, &variance,
			   (float)own->params.columns);
	invert_deviation(call, &own->used, &variance, own->params.epsilon, &inverse);
}

/** Emit all steps; sizes, weights and epsilon are set, the input is dense. */
static void normalize(struct petite_call *call, struct normalization *own)
{
	uint32_t count = petite_call_argument_count(call);
	struct petite_load_tensor output;
	struct petite_load_tensor target;

	petite_call_require(call, count >= 4);
	petite_call_output(call, count - 4, PETITE_F32, &output);
	petite_call_require(call, petite_same_sizes(&own->input, &output));
	petite_call_contiguous(call, &own->used, &own->input);
	target = petite_call_target(call, &own->used, &output);
	if (petite_call_failed(call)) {
		return;
	}
	own->params.input = own->input.data;
	own->params.output = target.data;
	petite_call_step(call, petite_normalize_f32_scalar, &own->params, sizeof(own->params));
	petite_call_deliver(call, &target, &output);
	write_moments(call, own);
}

/** (x, normalised shape, weights?, bias?, epsilon, output, means, inverse deviations, list) */
void petite_prepare_layer_norm(struct petite_call *call)
{
	struct normalization own = {.params = {.groups = 1, .inner = 1}};
	int32_t shape[PETITE_LOAD_RANK];
	uint32_t rank = petite_call_ints(call, 1, shape, PETITE_LOAD_RANK);
	int32_t columns = 1;

	petite_call_input(call, 0, PETITE_F32, &own.input);
	petite_call_require(call, rank <= own.input.rank && own.input.count > 0);
	for (uint32_t k = 0; k < rank && !petite_call_failed(call); k++) {
		int32_t size = own.input.sizes[own.input.rank - rank + k];

		petite_call_require(call, size == shape[k]);
		columns *= size;
	}
	if (petite_call_failed(call)) {
		return;
	}
	own.params.rows = own.input.count / columns;
	own.params.columns = columns;
	own.params.weights = numbers_of(call, 2, columns, &own.used);
	own.params.bias = numbers_of(call, 3, columns, &own.used);
	own.params.epsilon = petite_call_float(call, 4);
	normalize(call, &own);
}

/**
 * (x, weights?, bias?, N, C, HxW, groups, epsilon, output, means, inverse deviations, list)
 */
void petite_prepare_group_norm(struct petite_call *call)
{
	struct normalization own = {0};
	int32_t batches = petite_call_int(call, 3);
	int32_t channels = petite_call_int(call, 4);
	int32_t inner = petite_call_int(call, 5);
	int32_t groups = petite_call_int(call, 6);

	petite_call_input(call, 0, PETITE_F32, &own.input);
	petite_call_require(call, batches >= 1 && channels >= 1 && inner >= 1 && groups >= 1);
	if (petite_call_failed(call)) {
		return;
	}
	petite_call_require(call, channels % groups == 0 &&
					  (int64_t)batches * channels <= INT32_MAX &&
					  (int64_t)batches * channels * inner == own.input.count);
	if (petite_call_failed(call)) {
		return;
	}
	own.params.rows = batches * groups;
	own.params.columns = channels / groups * inner;
	own.params.groups = groups;
	own.params.inner = inner;
	own.params.weights = numbers_of(call, 1, channels, &own.used);
	own.params.bias = numbers_of(call, 2, channels, &own.used);
	own.params.epsilon = petite_call_float(call, 7);
	normalize(call, &own);
}

/* --- batch normalisation ------------------------------------------------------------------------
 */

/** One number for each channel, where a program has none. */
static const float *repeated(struct petite_call *call, int32_t channels, float value)
{
	float *kept;

	petite_call_require(call, channels <= INT32_MAX / 8);
	kept = petite_call_reserve(call, (uint32_t)channels * (uint32_t)sizeof(kept[0]));
	for (int32_t c = 0; kept != NULL && c < channels; c++) {
		kept[c] = value;
	}
	return kept;
}

static const float *channels_of(struct petite_call *call, uint32_t position, int32_t channels,
				float absent, uint32_t *used)
{
	return petite_call_is_none(call, position) ? repeated(call, channels, absent)
						   : numbers_of(call, position, channels, used);
}

/** The inverse deviations of variances that are constant: computed now, in double. */
static const float *invert_constant(struct petite_call *call,
				    const struct petite_load_tensor *variance, double epsilon)
{
	const float *values = variance->data;
	float *kept =
		petite_call_reserve(call, (uint32_t)variance->count * (uint32_t)sizeof(kept[0]));

	for (int32_t c = 0; kept != NULL && c < variance->count; c++) {
		kept[c] = (float)(1.0 / sqrt((double)values[c] + epsilon));
	}
	return kept;
}

/** A batch normalisation: input, output, and what all channels have. */
struct batch_norm {
	struct petite_load_tensor input;
	struct petite_load_tensor output;
	struct petite_batch_norm_f32 params;
	uint32_t used;
};

static void take_batch_norm(struct petite_call *call, struct batch_norm *own)
{
	uint32_t count = petite_call_argument_count(call);
	int32_t channels;

	*own = (struct batch_norm){0};
	petite_call_require(call, count >= 4);
	petite_call_input(call, 0, PETITE_F32, &own->input);
	petite_call_require(call, own->input.rank >= 2);
	channels = own->input.sizes[1];
	own->params.channels = channels;
	own->params.weights = channels_of(call, 1, channels, 1.0f, &own->used);
	own->params.bias = channels_of(call, 2, channels, 0.0f, &own->used);
}

/** Take the output, and the input in its order: channels lie between what is out- and inside. */
static void emit_batch_norm(struct petite_call *call, struct batch_norm *own)
{
	bool is_inside = false;

	petite_call_require(call, petite_same_sizes(&own->input, &own->output));
	petite_call_in_order(call, &own->used, &own->input, own->output.order);
	if (petite_call_failed(call) || own->output.count == 0) {
		return;
	}
	own->params.outer = 1;
	own->params.inner = 1;
	for (uint32_t k = 0; k < own->output.rank; k++) {
		uint32_t dimension = own->output.order[k];

		if (dimension == 1) {
			is_inside = true;
		} else if (is_inside) {
			own->params.inner *= own->output.sizes[dimension];
		} else {
			own->params.outer *= own->output.sizes[dimension];
		}
	}
	own->params.input = own->input.data;
	own->params.output = own->output.data;
	petite_call_step(call, petite_batch_norm_f32_scalar, &own->params, sizeof(own->params));
}

/** With statistics that the model has; those that it would update are not written. */
static void with_statistics(struct petite_call *call, uint32_t epsilon)
{
	struct batch_norm own;
	struct petite_load_tensor variance;
	struct petite_load_tensor scale;

	take_batch_norm(call, &own);
	own.params.mean = numbers_of(call, 3, own.params.channels, &own.used);
	petite_call_input(call, 4, PETITE_F32, &variance);
	petite_call_require(call, !petite_call_is_none(call, 3));
	petite_call_require(call, variance.count == own.params.channels && variance.rank == 1);
	petite_call_output(call, petite_call_argument_count(call) - 4, PETITE_F32, &own.output);
	if (petite_call_failed(call)) {
		return;
	}
	if (variance.is_constant) {
		own.params.scale =
			invert_constant(call, &variance, petite_call_number(call, epsilon));
	} else {
		scale = petite_call_between(call, &own.used, PETITE_F32, &variance);
		invert_deviation(call, &own.used, &variance, petite_call_float(call, epsilon),
				 &scale);
		own.params.scale = scale.data;
	}
	emit_batch_norm(call, &own);
}

/** (x, weights?, bias?, mean, variance, momentum, epsilon, output, nothing, nothing, list) */
void petite_prepare_batch_norm(struct petite_call *call)
{
	with_statistics(call, 6);
}

/** (x, weights?, bias?, mean, variance, training, momentum, epsilon, output, ...) */
void petite_prepare_batch_norm_legit(struct petite_call *call)
{
	petite_call_require(call, petite_call_int(call, 5) == 0);
	with_statistics(call, 7);
}

/**
 * (x, weights?, bias?, training, momentum, epsilon, output, means, inverse deviations, list): with
 * the statistics of the batch itself
 */
void petite_prepare_batch_norm_of_batch(struct petite_call *call)
{
	uint32_t count = petite_call_argument_count(call);
	struct batch_norm own;
	struct petite_load_tensor mean;
	struct petite_load_tensor scale;
	struct petite_load_tensor variance;
	uint32_t dimensions;
	float divisor;

	take_batch_norm(call, &own);
	petite_call_output(call, count - 4, PETITE_F32, &own.output);
	petite_call_output(call, count - 3, PETITE_F32, &mean);
	petite_call_output(call, count - 2, PETITE_F32, &scale);
	petite_call_require(call, mean.rank == 1 && scale.rank == 1 &&
					  mean.count == own.params.channels &&
					  scale.count == own.params.channels);
	if (petite_call_failed(call)) {
		return;
	}
	dimensions = petite_all_dimensions(own.input.rank) & ~2u;
	divisor = (float)petite_count_along(&own.input, dimensions);
	petite_call_reduce(call, petite_reduce_mean_f32_scalar, &own.used, &own.input, dimensions,
			   &mean, divisor);
	variance = petite_call_between(call, &own.used, PETITE_F32, &mean);
	petite_call_reduce(call, petite_reduce_var_f32_scalar, &own.used, &own.input, dimensions,
			   &variance, divisor);
	invert_deviation(call, &own.used, &variance, petite_call_float(call, 5), &scale);
	own.params.mean = mean.data;
	own.params.scale = scale.data;
	emit_batch_norm(call, &own);
}
