/* SPDX-License-Identifier: Apache-2.0 */
/* Made by make.py from the conformance program methods_conv_and_float; do not edit. */
#ifndef METHODS_CONV_AND_FLOAT_GOLDEN_H
#define METHODS_CONV_AND_FLOAT_GOLDEN_H

#include "golden.h"

static const float methods_conv_and_float_golden_call0_input0[40] = {
	-0.5255957f, -0.31571782f, 0.25335142f, -0.13508359f, -0.6831025f, 0.049937695f, 0.1209403f,
	0.2747655f, 2.1914768f, 0.2630272f, -1.4969883f, -0.20173967f, 1.5541961f, 1.617285f,
	0.28345522f, -0.23785758f, -0.8268954f, 1.4389017f, -1.7280326f, 0.89963907f, 0.09409338f,
	0.418243f, 0.9253101f, 1.5543988f, 0.4212476f, -1.7089899f, 0.7761406f, -0.98774487f,
	0.6880002f, -0.62544703f, -0.5770569f, 0.4890347f, 0.47223985f, -2.4478977f, 0.2077848f,
	0.5028357f, 0.077853516f, -0.94525737f, 1.7191336f, -0.7360154f,
};

static const float methods_conv_and_float_golden_call0_output0[18] = {
	-0.18198058f, -0.7279223f, -1.4818418f, -0.4159556f, -0.8579084f, 0.7019251f, 0.59793615f,
	0.59793615f, 0.6759279f, 0.38995838f, 0.77991676f, 1.2218696f, -0.1039889f, 0.1039889f,
	1.4298474f, -0.18198058f, -0.33796394f, -1.2998613f,
};

static const float methods_conv_and_float_golden_call2_input0[40] = {
	5.2129307f, -1.6717746f, -0.7158222f, 6.525875f, -2.788701f, -0.18231931f, -5.000266f,
	1.6981959f, 2.6485462f, 1.16486f, 0.45134073f, -1.1821423f, 1.7728384f, -3.2084613f,
	1.0878004f, 5.6062927f, 1.0405272f, 3.9927385f, -1.6780633f, 2.7874146f, 0.2802534f,
	7.5359f, 3.8865795f, 0.14737102f, -5.430956f, 5.3111496f, 5.249069f, 4.7469077f, 5.1216927f,
	-2.5130835f, 0.57782704f, 1.8687265f, 3.7966332f, -0.052302808f, 4.092226f, 4.387085f,
	-2.117714f, -4.355511f, 0.5302316f, 7.3781786f,
};

static const float methods_conv_and_float_golden_call2_output0[18] = {
	-0.49394727f, -0.1039889f, -2.8596947f, -1.273864f, -2.9636836f, -2.9636836f, 0.0f,
	-2.9636836f, 0.12998612f, -0.88390565f, 0.4159556f, 3.6656086f, -1.0658863f, -1.1958723f,
	3.6656086f, 0.38995838f, -0.98789454f, -2.9636836f,
};

static const float methods_conv_and_float_golden_call3_input0[6] = {
	0.90621585f, 0.24164332f, -0.3510642f, -0.9308649f, 0.5648253f, 1.0347538f,
};

static const float methods_conv_and_float_golden_call3_output0[6] = {
	0.91239095f, 0.24634555f, 0.0f, 0.0f, 0.56568235f, 1.0401256f,
};

static const float methods_conv_and_float_golden_call5_input0[6] = {
	2.3638194f, 3.1068249f, 0.6659406f, 2.6005244f, 2.9006767f, 1.4334486f,
};

static const float methods_conv_and_float_golden_call5_output0[6] = {
	2.317473f, 2.317473f, 0.6751693f, 2.317473f, 2.317473f, 1.4233298f,
};

static const struct golden_call methods_conv_and_float_golden_calls[] = {
	{.method = 0, .inputs = {methods_conv_and_float_golden_call0_input0}, .outputs = {methods_conv_and_float_golden_call0_output0}},
	{.method = 0, .inputs = {methods_conv_and_float_golden_call2_input0}, .outputs = {methods_conv_and_float_golden_call2_output0}},
	{.method = 1, .inputs = {methods_conv_and_float_golden_call3_input0}, .outputs = {methods_conv_and_float_golden_call3_output0}},
	{.method = 1, .inputs = {methods_conv_and_float_golden_call5_input0}, .outputs = {methods_conv_and_float_golden_call5_output0}},
};

static const struct golden methods_conv_and_float_golden = {
	.calls = methods_conv_and_float_golden_calls,
	.count = sizeof(methods_conv_and_float_golden_calls) / sizeof(methods_conv_and_float_golden_calls[0]),
	.sequence = false,
};

#endif /* METHODS_CONV_AND_FLOAT_GOLDEN_H */
