/* SPDX-License-Identifier: Apache-2.0 */
#include "../../kernels/dequantize/dequantize_s16_f32.h"
#include "../../kernels/dequantize/dequantize_s8_f32.h"
#include "../../kernels/quantize/quantize_f32_s16.h"
#include "../../kernels/quantize/quantize_f32_s8.h"
#include "../common/layout.h"
#include "../common/scales.h"
#include "cortex_m.h"

/** Scales below have no float32 inverse. */
#define LEAST_SCALE 1e-38
#define MOST_SCALE 3.4e38

/* The numbers of both directions: (input, scale, zero_point, quant_min, quant_max, dtype, output).
 */
enum position {
	INPUT,
	SCALE,
	ZERO_POINT,
	QUANT_MIN,
	QUANT_MAX,
	DTYPE,
	OUTPUT,
};

static float scale_of(struct petite_call *call)
{
	double scale = petite_call_number(call, SCALE);

	petite_call_require(call, scale > LEAST_SCALE && scale < MOST_SCALE);
	return petite_call_failed(call) ? 1.0f : (float)scale;
}

/** Input and output of the same layout. */
static void take_tensors(struct petite_call *call, uint8_t from, uint8_t to,
			 struct petite_load_tensor *input, struct petite_load_tensor *output)
{
	petite_call_input(call, INPUT, from, input);
	petite_call_output(call, OUTPUT, to, output);
	petite_call_require(call, petite_same_layout(input, output));
}

/** A limit of the output, within its type. */
static int32_t limit_of(struct petite_call *call, uint32_t position, int32_t least)
{
	int32_t limit = petite_call_int(call, position);

	petite_call_require(call, limit >= least && limit <= -(least + 1));
	return limit;
}

/** Helium's kernels, for int8 and int16, take inverse scales of this size only. */
static bool suits_helium(float inverse_scale)
{
	return inverse_scale >= 0x1p-60f && inverse_scale <= 0x1p60f;
}

/* The same for both element types, but for the names of structures and kernels. */

#define DEFINE_QUANTIZE(suffix, dtype, least)                                                      \
	void petite_prepare_quantize_##suffix(struct petite_call *call)                            \
	{                                                                                          \
		struct petite_load_tensor input;                                                   \
		struct petite_load_tensor output;                                                  \
		float inverse_scale = 1.0f / scale_of(call);                                       \
		struct petite_quantize_f32_##suffix params;                                        \
                                                                                                   \
		take_tensors(call, PETITE_F32, dtype, &input, &output);                            \
		params = (struct petite_quantize_f32_##suffix){                                    \
			.input = input.data,                                                       \
			.output = output.data,                                                     \
			.count = output.count,                                                     \
			.inverse_scale = inverse_scale,                                            \
			.zero_point = petite_call_offset(call, ZERO_POINT),                        \
			.quant_min = limit_of(call, QUANT_MIN, least),                             \
			.quant_max = limit_of(call, QUANT_MAX, least),                             \
		};                                                                                 \
		petite_call_step(call,                                                             \
				 suits_helium(inverse_scale)                                       \
					 ? petite_call_kernel(call)                                \
					 : petite_quantize_f32_##suffix##_scalar,                  \
				 &params, sizeof(params));                                         \
	}

#define DEFINE_DEQUANTIZE(suffix, dtype)                                                           \
	void petite_prepare_dequantize_##suffix(struct petite_call *call)                          \
	{                                                                                          \
		struct petite_load_tensor input;                                                   \
		struct petite_load_tensor output;                                                  \
		struct petite_dequantize_##suffix##_f32 params;                                    \
                                                                                                   \
		take_tensors(call, dtype, PETITE_F32, &input, &output);                            \
		params = (struct petite_dequantize_##suffix##_f32){                                \
			.input = input.data,                                                       \
			.output = output.data,                                                     \
			.count = output.count,                                                     \
			.zero_point = petite_call_offset(call, ZERO_POINT),                        \
			.scale = scale_of(call),                                                   \
		};                                                                                 \
		petite_call_step(call, petite_call_kernel(call), &params, sizeof(params));         \
	}

DEFINE_QUANTIZE(s8, PETITE_S8, INT8_MIN)
DEFINE_QUANTIZE(s16, PETITE_S16, INT16_MIN)
DEFINE_DEQUANTIZE(s8, PETITE_S8)
DEFINE_DEQUANTIZE(s16, PETITE_S16)
