/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/binary/binary.h"
#include "../../kernels/linear/linear_f32.h"
#include "../../kernels/matmul/matmul.h"
#include "../common/elementwise.h"
#include "../common/layout.h"
#include "../common/movement.h"
#include "../common/number.h"
#include "aten.h"

/** A product: rows times a matrix, which is [inner][columns], or transposed. */
struct product {
	struct petite_load_tensor rows;
	struct petite_load_tensor matrix;
	struct petite_load_tensor output;
	struct petite_load_tensor target;
	struct petite_matmul params;
	uint32_t used;
};

/** Take both operands, from a position on, and the output; they have one element type. */
static void take(struct petite_call *call, uint32_t position, bool is_transposed,
		 struct product *product)
{
	struct petite_load_tensor *rows = &product->rows;
	struct petite_load_tensor *matrix = &product->matrix;
	int32_t columns;
	int32_t inner;
	int32_t batches = 1;

	*product = (struct product){0};
	petite_call_input(call, position, 0, rows);
	petite_call_input(call, position + 1, rows->dtype, matrix);
	petite_call_output(call, petite_call_argument_count(call) - 1, rows->dtype,
			   &product->output);
	petite_call_require(call, rows->rank >= 1 && (matrix->rank == 2 || matrix->rank == 3) &&
					  rows->rank == product->output.rank);
	if (petite_call_failed(call)) {
		return;
	}
	inner = matrix->sizes[matrix->rank - (is_transposed ? 1 : 2)];
	columns = matrix->sizes[matrix->rank - (is_transposed ? 2 : 1)];
	petite_call_require(call, rows->sizes[rows->rank - 1] == inner &&
					  product->output.sizes[rows->rank - 1] == columns);
	for (uint32_t k = 0; k + 1 < rows->rank; k++) {
		petite_call_require(call, rows->sizes[k] == product->output.sizes[k]);
	}
	if (matrix->rank == 3) {
		batches = matrix->sizes[0];
		petite_call_require(call, rows->rank == 3 && rows->sizes[0] == batches);
	}
	petite_call_contiguous(call, &product->used, rows);
	petite_call_contiguous(call, &product->used, matrix);
	product->target = petite_call_target(call, &product->used, &product->output);
	if (petite_call_failed(call) || product->output.count == 0) {
		return;
	}
	product->params = (struct petite_matmul){
		.input = rows->data,
		.weights = matrix->data,
		.output = product->target.data,
		.batches = batches,
		.rows = product->output.count / columns / batches,
		.inner = inner,
		.columns = columns,
		.weights_batch_stride = inner * columns,
		.inner_stride = is_transposed ? 1 : columns,
		.column_stride = is_transposed ? inner : 1,
	};
}

/** The product by itself. */
static void multiply(struct petite_call *call, petite_kernel kernel, struct product *product)
{
	if (petite_call_failed(call) || product->output.count == 0) {
		return;
	}
	petite_call_step(call, kernel, &product->params, sizeof(product->params));
}

/** (x, y, output): a product, or one for each batch */
void petite_prepare_mm(struct petite_call *call)
{
	struct product product;

	take(call, 0, false, &product);
	multiply(call, petite_call_kernel(call), &product);
	petite_call_deliver(call, &product.target, &product.output);
}

/** Strides of a bias that is broadcast to the rows and columns of a product. */
static void set_bias(struct petite_call *call, struct product *product,
		     struct petite_load_tensor *bias, struct petite_linear_f32 *params)
{
	int32_t dims[PETITE_LOAD_RANK];
	int32_t strides[PETITE_LOAD_RANK];
	struct petite_load_tensor matrix = product->target;

	matrix.rank = 2;
	matrix.sizes[0] = params->rows;
	matrix.sizes[1] = params->columns;
	petite_set_contiguous(&matrix);
	petite_broadcast(call, &matrix, bias, dims, strides);
	params->bias = bias->data;
	params->bias_row_stride = strides[PETITE_LOAD_RANK - 2];
	params->bias_column_stride = strides[PETITE_LOAD_RANK - 1];
}

/** A product of float32, times alpha, plus a bias times beta. */
static void multiply_float(struct petite_call *call, struct product *product,
			   struct petite_load_tensor *bias, float alpha, float beta)
{
	const struct petite_matmul *sizes = &product->params;
	struct petite_linear_f32 params;

	if (petite_call_failed(call) || product->output.count == 0) {
		return;
	}
	petite_call_require(call, sizes->batches == 1 && sizes->inner >= 1);
	params = (struct petite_linear_f32){
		.input = sizes->input,
		.weights = sizes->weights,
		.output = sizes->output,
		.rows = sizes->rows,
		.inner = sizes->inner,
		.columns = sizes->columns,
		.inner_stride = sizes->inner_stride,
		.column_stride = sizes->column_stride,
		.alpha = alpha,
		.beta = beta,
	};
	if (bias != NULL) {
		set_bias(call, product, bias, &params);
	}
	petite_call_step(call, petite_linear_f32_scalar, &params, sizeof(params));
	petite_call_deliver(call, &product->target, &product->output);
}

/** (x, weights [out][in], bias?, output) of float32 */
void petite_prepare_linear_f32(struct petite_call *call)
{
	struct product product;
	struct petite_load_tensor bias;
	bool has_bias = !petite_call_is_none(call, 2);

	if (has_bias) {
		petite_call_input(call, 2, PETITE_F32, &bias);
	}
	take(call, 0, true, &product);
	petite_call_require(call, product.matrix.rank == 2);
	multiply_float(call, &product, has_bias ? &bias : NULL, 1.0f, 1.0f);
}

/** (bias, x, y, beta, alpha, output) of float32 */
void petite_prepare_addmm_f32(struct petite_call *call)
{
	struct product product;
	struct petite_load_tensor bias;

	petite_call_input(call, 0, PETITE_F32, &bias);
	take(call, 1, false, &product);
	petite_call_require(call, product.matrix.rank == 2 && product.rows.rank == 2);
	multiply_float(call, &product, &bias, petite_call_float(call, 4),
		       petite_call_float(call, 3));
}

/** Kernels of one type of integers. */
struct integers {
	petite_kernel matmul;
	petite_kernel add;
	petite_kernel mul;
};

/** A tensor times a number among the arguments. */
static struct petite_load_tensor times(struct petite_call *call, uint32_t position,
				       petite_kernel mul, uint32_t *used,
				       const struct petite_load_tensor *tensor)
{
	struct petite_load_tensor factor;
	struct petite_load_tensor result = *tensor;

	if (petite_call_number(call, position) != 1.0) {
		petite_call_operand(call, position, tensor->dtype, &factor);
		petite_call_require(call, factor.dtype == tensor->dtype);
		result = petite_call_between(call, used, tensor->dtype, tensor);
		petite_call_binary(call, mul, tensor, &factor, &result);
	}
	return result;
}

/** (x, weights [out][in], bias?, output) of integers */
static void linear_integers(struct petite_call *call, const struct integers *kernels)
{
	struct product product;
	struct petite_load_tensor bias;
	struct petite_load_tensor sum;
	bool has_bias = !petite_call_is_none(call, 2);

	if (has_bias) {
		petite_call_input(call, 2, 0, &bias);
	}
	take(call, 0, true, &product);
	petite_call_require(call, product.matrix.rank == 2);
	if (!has_bias) {
		multiply(call, kernels->matmul, &product);
		petite_call_deliver(call, &product.target, &product.output);
		return;
	}
	petite_call_require(call, bias.dtype == product.output.dtype);
	sum = product.target;
	petite_call_scratch_tensor(call, &product.used, &sum);
	product.params.output = sum.data;
	multiply(call, kernels->matmul, &product);
	petite_call_binary(call, kernels->add, &sum, &bias, &product.output);
}

/** (bias, x, y, beta, alpha, output) of integers */
static void addmm_integers(struct petite_call *call, const struct integers *kernels)
{
	struct product product;
	struct petite_load_tensor bias;
	struct petite_load_tensor sum;

	petite_call_input(call, 0, 0, &bias);
	take(call, 1, false, &product);
	petite_call_require(call, product.matrix.rank == 2 && product.rows.rank == 2 &&
					  bias.dtype == product.output.dtype);
	sum = product.target;
	petite_call_scratch_tensor(call, &product.used, &sum);
	product.params.output = sum.data;
	multiply(call, kernels->matmul, &product);
	sum = times(call, 4, kernels->mul, &product.used, &sum);
	bias = times(call, 3, kernels->mul, &product.used, &bias);
	petite_call_binary(call, kernels->add, &sum, &bias, &product.output);
}

#define DEFINE_INTEGERS(type)                                                                      \
	static const struct integers kernels_##type = {petite_matmul_##type##_scalar,              \
						       petite_binary_add_##type##_scalar,          \
						       petite_binary_mul_##type##_scalar};         \
	void petite_prepare_linear_##type(struct petite_call *call)                                \
	{                                                                                          \
		linear_integers(call, &kernels_##type);                                            \
	}                                                                                          \
	void petite_prepare_addmm_##type(struct petite_call *call)                                 \
	{                                                                                          \
		addmm_integers(call, &kernels_##type);                                             \
	}

DEFINE_INTEGERS(s8)
DEFINE_INTEGERS(s16)
DEFINE_INTEGERS(s32)
DEFINE_INTEGERS(s64)
DEFINE_INTEGERS(u8)
