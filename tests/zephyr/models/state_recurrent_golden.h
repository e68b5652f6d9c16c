/* SPDX-License-Identifier: Apache-2.0 */
/* Made by make.py from the conformance program state_recurrent; do not edit. */
#ifndef STATE_RECURRENT_GOLDEN_H
#define STATE_RECURRENT_GOLDEN_H

#include "golden.h"

static const float state_recurrent_golden_call0_input0[4] = {
	0.69911134f, 1.1355658f, 0.07592279f, 0.82419944f,
};

static const float state_recurrent_golden_call0_output0[3] = {
	0.21031913f, 0.69855994f, 0.7436283f,
};

static const float state_recurrent_golden_call1_input0[4] = {
	0.6205652f, -0.26221412f, 0.28583384f, 0.29993019f,
};

static const float state_recurrent_golden_call1_output0[3] = {
	-0.2704103f, 0.8938563f, -0.18027353f,
};

static const float state_recurrent_golden_call2_input0[4] = {
	0.82112896f, 0.80222297f, -0.43401718f, 0.23339885f,
};

static const float state_recurrent_golden_call2_output0[3] = {
	0.2704103f, 0.71358275f, 0.81874233f,
};

static const float state_recurrent_golden_call3_input0[4] = {
	1.3452551f, -0.24903458f, -0.65687656f, -0.17264223f,
};

static const float state_recurrent_golden_call3_output0[3] = {
	-0.31547868f, 0.9314133f, 0.48072943f,
};

static const float state_recurrent_golden_call4_input0[4] = {
	0.68643f, -2.420461f, 0.30424127f, -4.929675f,
};

static const float state_recurrent_golden_call4_output0[3] = {
	-0.5934004f, -0.2854331f, 0.3004559f,
};

static const struct golden_call state_recurrent_golden_calls[] = {
	{.method = 0, .inputs = {state_recurrent_golden_call0_input0}, .outputs = {state_recurrent_golden_call0_output0}},
	{.method = 0, .inputs = {state_recurrent_golden_call1_input0}, .outputs = {state_recurrent_golden_call1_output0}},
	{.method = 0, .inputs = {state_recurrent_golden_call2_input0}, .outputs = {state_recurrent_golden_call2_output0}},
	{.method = 0, .inputs = {state_recurrent_golden_call3_input0}, .outputs = {state_recurrent_golden_call3_output0}},
	{.method = 0, .inputs = {state_recurrent_golden_call4_input0}, .outputs = {state_recurrent_golden_call4_output0}},
};

static const struct golden state_recurrent_golden = {
	.calls = state_recurrent_golden_calls,
	.count = sizeof(state_recurrent_golden_calls) / sizeof(state_recurrent_golden_calls[0]),
	.sequence = true,
};

#endif /* STATE_RECURRENT_GOLDEN_H */
