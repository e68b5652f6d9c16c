/* SPDX-License-Identifier: Apache-2.0 */
/* Made by make.py from the conformance program two_inputs; do not edit. */
#ifndef TWO_INPUTS_GOLDEN_H
#define TWO_INPUTS_GOLDEN_H

#include "golden.h"

static const float two_inputs_golden_call0_input0[60] = {
	0.21839654f, 0.26544687f, 1.2024832f, -0.79085225f, 1.1024115f, 0.184785f, -1.183342f,
	-0.85271364f, 2.336611f, -0.056432396f, 2.1982038f, -0.24976051f, 0.6626816f, 1.0619781f,
	0.10089606f, 0.7345121f, 1.2602553f, -0.8321126f, 0.24062458f, 0.5305514f, -0.035434812f,
	0.96662897f, -0.09708011f, -0.497891f, -1.0537784f, -0.61077493f, 0.43997076f, 1.6859438f,
	1.0703225f, 0.078493014f, -0.20642287f, 1.090966f, 0.07177198f, 1.5321784f, 0.3850538f,
	1.6905818f, 0.691779f, 0.6061816f, 0.7068652f, 1.5729873f, -1.075062f, 2.3523922f,
	1.270075f, -0.7142207f, 1.0544237f, -2.0278332f, -0.8109903f, -0.20429194f, -0.05852315f,
	1.9867237f, 0.16805124f, 0.9471669f, 0.64102626f, 0.5122108f, 0.1742646f, -0.021572948f,
	0.19035222f, 0.7917297f, 2.2979164f, 2.5231037f,
};

static const float two_inputs_golden_call0_input1[6] = {
	1.9302752f, 1.407481f, 2.497841f, 0.38080147f, 1.5256767f, 0.41820216f,
};

static const float two_inputs_golden_call0_output0[24] = {
	-0.23068665f, 2.6657124f, -1.204697f, -0.43574145f, -2.1787074f, 0.512637f, -1.1534333f,
	0.0f, 0.4101096f, 0.4101096f, 0.38447776f, -0.8714829f, 0.4101096f, 0.3075822f, 0.43574145f,
	1.1021696f, -1.8711251f, -1.3328562f, -0.71769184f, -1.0509058f, 0.38447776f, 0.0f,
	-0.12815925f, -0.8202192f,
};

static const float two_inputs_golden_call2_input0[60] = {
	3.3836796f, 2.9078617f, 2.347779f, 0.36315197f, -2.5870025f, 4.276438f, 0.6183487f,
	-3.4843812f, 7.63313f, -0.043242663f, -3.1341913f, -0.93183535f, 1.2203568f, 2.7215352f,
	0.022329748f, 6.51793f, 3.8096867f, -1.2536176f, -2.5844412f, 7.574302f, 2.1349492f,
	3.2219002f, -2.0328107f, -0.7570204f, -0.43143448f, 0.12383437f, 2.8422108f, -3.4940214f,
	0.5909612f, -3.0915835f, -0.9460938f, 0.011529744f, 6.560211f, -1.9061394f, -0.18009666f,
	4.772665f, 3.381855f, 1.1270583f, 3.3912864f, 0.54417586f, 0.29648486f, 3.3802652f,
	-0.39622208f, 5.271859f, 1.9070059f, -0.76995885f, 1.6200495f, 1.9168508f, -1.482446f,
	1.3138697f, 1.5341474f, 1.3055645f, -3.2365723f, -2.6804593f, -4.681073f, -1.7255012f,
	1.2686553f, 0.3290969f, 3.8084097f, -3.9537814f,
};

static const float two_inputs_golden_call2_input1[6] = {
	2.100644f, -1.3877496f, -0.4582429f, -1.944922f, -0.03241691f, 7.1453648f,
};

static const float two_inputs_golden_call2_output0[24] = {
	2.2556028f, 1.1534333f, -1.0765377f, -0.3075822f, 0.58953255f, 0.8714829f, -2.922031f,
	0.64079624f, 2.1787074f, 1.2559607f, 1.4866474f, 2.3324983f, 0.9227466f, 1.5635428f,
	3.255245f, 2.3324983f, -0.3075822f, 2.7169762f, -0.38447776f, -2.07618f, -0.33321404f,
	-0.7945874f, 0.9227466f, -0.07689555f,
};

static const struct golden_call two_inputs_golden_calls[] = {
	{.method = 0, .inputs = {two_inputs_golden_call0_input0, two_inputs_golden_call0_input1}, .outputs = {two_inputs_golden_call0_output0}},
	{.method = 0, .inputs = {two_inputs_golden_call2_input0, two_inputs_golden_call2_input1}, .outputs = {two_inputs_golden_call2_output0}},
};

static const struct golden two_inputs_golden = {
	.calls = two_inputs_golden_calls,
	.count = sizeof(two_inputs_golden_calls) / sizeof(two_inputs_golden_calls[0]),
	.sequence = false,
};

#endif /* TWO_INPUTS_GOLDEN_H */
