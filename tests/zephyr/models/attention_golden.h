/* SPDX-License-Identifier: Apache-2.0 */
/* Made by make.py from the conformance program attention; do not edit. */
#ifndef ATTENTION_GOLDEN_H
#define ATTENTION_GOLDEN_H

#include "golden.h"

static const float attention_golden_call0_input0[40] = {
	1.8183923f, 2.1915298f, -1.2590296f, -0.16393068f, -1.4289813f, -1.1417325f, 0.92530614f,
	0.094413996f, 0.68018883f, -0.2534849f, -0.28798962f, 0.65753436f, 0.67371106f, 0.17837799f,
	1.2861128f, 0.74093986f, -0.22654337f, -0.46744478f, 0.67314744f, 2.5905728f, 0.2550378f,
	0.50166726f, 0.38070166f, -0.11562723f, -0.68059766f, 0.10635592f, 0.72608536f, -0.5516992f,
	0.42641425f, 0.92137325f, 0.6844084f, 2.102501f, 1.1150286f, 1.049842f, 0.53360295f,
	-0.06650275f, 1.1552498f, 1.2880715f, 0.31347173f, 1.04163f,
};

static const float attention_golden_call0_output0[25] = {
	0.21151724f, 0.053840753f, 0.06153229f, 0.37688527f, 0.29612413f, 0.36919373f, 0.30381566f,
	0.09229843f, 0.115373045f, 0.11152727f, 0.48841253f, 0.31535298f, 0.049994983f, 0.06153229f,
	0.08076113f, 0.28458685f, 0.38073105f, 0.16152225f, 0.08076113f, 0.09229843f, 0.5691737f,
	0.13844764f, 0.026920376f, 0.15383072f, 0.11152727f,
};

static const float attention_golden_call2_input0[40] = {
	-0.022498012f, -3.415824f, 1.6680132f, -0.1615769f, 2.4404364f, 0.6937879f, -3.8532429f,
	-1.16114f, -3.145229f, 0.78178436f, -0.12858564f, 3.8429284f, 6.0608187f, 5.209066f,
	-1.3959014f, -4.210019f, 0.73716503f, 3.6777928f, 3.5272279f, 1.5871096f, 3.6702797f,
	0.24023496f, -1.495076f, 2.1209f, -2.1537833f, 3.4974632f, -0.9103464f, 2.1266947f,
	2.5155134f, 0.5868374f, -0.2180197f, 4.484726f, 1.4883367f, -1.2096064f, 2.7826169f,
	3.284764f, -0.5849403f, -2.1656644f, 2.0572195f, 1.5423728f,
};

static const float attention_golden_call2_output0[25] = {
	0.003845768f, 0.0f, 0.01922884f, 0.026920376f, 0.9460589f, 0.9383674f, 0.015383072f,
	0.015383072f, 0.015383072f, 0.015383072f, 0.011537304f, 0.0f, 0.0f, 0.0f, 0.98067087f,
	0.86145204f, 0.03461191f, 0.03461191f, 0.03461191f, 0.03461191f, 0.0f, 0.0f, 0.0f,
	0.011537304f, 0.98067087f,
};

static const struct golden_call attention_golden_calls[] = {
	{.method = 0, .inputs = {attention_golden_call0_input0}, .outputs = {attention_golden_call0_output0}},
	{.method = 0, .inputs = {attention_golden_call2_input0}, .outputs = {attention_golden_call2_output0}},
};

static const struct golden attention_golden = {
	.calls = attention_golden_calls,
	.count = sizeof(attention_golden_calls) / sizeof(attention_golden_calls[0]),
	.sequence = false,
};

#endif /* ATTENTION_GOLDEN_H */
