/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application with operators of its own: binds the model in every right and wrong way, runs it,
 * and writes what happened, a line each. energy.h is generated; input.h has its input.
 */
#include <string.h>

#include <petite/petite.h>
#include <petite/platform.h>

#include "energy.h"
#include "input.h"

static enum petite_status nested_run;
static enum petite_status nested_bind;

PETITE_REGISTRY(plain, 2);
PETITE_REGISTRY(doubled, PETITE_REGISTRY_SIZE);
PETITE_REGISTRY(lacking, 1);

/* --- operators -------------------------------------------------------------------------------- */

static int is_matrix(const struct petite_tensor *tensor)
{
	return tensor->rank == 2 && tensor->dtype == PETITE_F32;
}

static int fits(const struct petite_operator_call *call)
{
	static const uint8_t kinds[] = {
		PETITE_ARGUMENT_TENSOR,   PETITE_ARGUMENT_TENSOR, PETITE_ARGUMENT_INTEGER,
		PETITE_ARGUMENT_INTEGER,  PETITE_ARGUMENT_REAL,   PETITE_ARGUMENT_BOOLEAN,
		PETITE_ARGUMENT_INTEGERS,
	};

	if (call->argument_count != sizeof(kinds) || call->output_count != 1) {
		return 0;
	}
	for (uint32_t i = 0; i < sizeof(kinds); i++) {
		const int is_none = i == 1 && call->arguments[i].kind == PETITE_ARGUMENT_NONE;

		if (call->arguments[i].kind != kinds[i] && !is_none) {
			return 0;
		}
	}
	return is_matrix(&call->arguments[0].as.tensor) && is_matrix(&call->outputs[0]) &&
	       call->arguments[6].as.integers.count == 2;
}

static float energy_of(const float *samples, const float *window, int64_t size, int absolute)
{
	float sum = 0.0f;

	for (int64_t i = 0; i < size; i++) {
		const float sample = window == NULL ? samples[i] : samples[i] * window[i];

		if (absolute) {
			sum += sample < 0.0f ? -sample : sample;
		} else {
			sum += sample * sample;
		}
	}
	return sum;
}

static enum petite_status frame_energy(const struct petite_operator_call *call, float gain)
{
	const struct petite_argument *a = call->arguments;
	const struct petite_tensor *x = &a[0].as.tensor;
	const struct petite_tensor *out = &call->outputs[0];
	const float *window = a[1].kind == PETITE_ARGUMENT_NONE ? NULL : a[1].as.tensor.data;

	if (strcmp(call->name, "testing::frame_energy.out") != 0 || !fits(call)) {
		return PETITE_ERR_OPERATOR;
	}
	for (int32_t channel = 0; channel < out->dims[0]; channel++) {
		const float *samples = (const float *)x->data + channel * x->dims[1];
		float *energy = (float *)out->data + channel * out->dims[1];

		for (int32_t frame = 0; frame < out->dims[1]; frame++) {
			const int64_t start = (frame + a[6].as.integers.items[0]) * a[3].as.integer;

			energy[frame] = energy_of(samples + start, window, a[2].as.integer,
						  a[5].as.integer != 0) *
					(float)a[4].as.real * gain;
		}
	}
	nested_run = petite_run(&energy_plan);
	nested_bind = petite_bind(&energy_operators, &plain, NULL);
	return PETITE_OK;
}

static enum petite_status plain_frame_energy(const struct petite_operator_call *call)
{
	return frame_energy(call, 1.0f);
}

static enum petite_status doubled_frame_energy(const struct petite_operator_call *call)
{
	return frame_energy(call, 2.0f);
}

static enum petite_status extremes(const struct petite_operator_call *call)
{
	const struct petite_tensor *x = &call->arguments[0].as.tensor;
	float *low = call->outputs[0].data;
	int64_t *at = call->outputs[1].data;

	if (call->argument_count != 1 || call->output_count != 2 || !is_matrix(x) ||
	    call->outputs[0].rank != 1 || call->outputs[1].dtype != PETITE_S64) {
		return PETITE_ERR_OPERATOR;
	}
	for (int32_t channel = 0; channel < x->dims[0]; channel++) {
		const float *values = (const float *)x->data + channel * x->dims[1];

		low[channel] = values[0];
		at[channel] = 0;
		for (int32_t i = 1; i < x->dims[1]; i++) {
			low[channel] = values[i] < low[channel] ? values[i] : low[channel];
			at[channel] = values[i] > values[at[channel]] ? i : at[channel];
		}
	}
	return PETITE_OK;
}

static enum petite_status give_up(const struct petite_operator_call *call)
{
	(void)call;
	return PETITE_ERR_OPERATOR;
}

/* --- what happened ---------------------------------------------------------------------------- */

static void write_bytes(const void *data, uint32_t size)
{
	const uint8_t *bytes = data;

	for (uint32_t i = 0; i < size; i++) {
		const char text[] = {"0123456789abcdef"[bytes[i] >> 4],
				     "0123456789abcdef"[bytes[i] & 15], '\0'};

		petite_platform_write(text);
	}
	petite_platform_write("\n");
}

static void write_status(const char *what, enum petite_status status)
{
	const char digit[] = {(char)('0' - (int)status % 10), '\0'};

	petite_platform_write(what);
	petite_platform_write((int)status <= -10 ? " -1" : " -");
	petite_platform_write(digit);
	petite_platform_write("\n");
}

static void write_input(void)
{
	memcpy(energy_input0(), input, sizeof(input));
}

static void run(const char *what)
{
	write_input();
	write_status(what, petite_run(&energy_plan));
	for (uint32_t i = 0; i < energy_plan.output_count; i++) {
		petite_platform_write("output ");
		write_bytes(energy_plan.outputs[i].data, energy_plan.outputs[i].size);
	}
}

static void run_unbound(void)
{
	write_input();
	write_status("unbound", petite_run(&energy_plan));
	petite_platform_write("input ");
	write_bytes(energy_input0(), sizeof(input));
}

static void bind(const char *what, const struct petite_registry *registry)
{
	const char *missing;

	write_status(what, petite_bind(&energy_operators, registry, &missing));
	petite_platform_write("missing ");
	petite_platform_write(missing == NULL ? "nothing" : missing);
	petite_platform_write("\n");
}

int main(void)
{
	enum petite_status all = PETITE_OK;

	all |= petite_register(&plain, "testing::frame_energy.out", plain_frame_energy);
	all |= petite_register(&plain, "testing::extremes.out", extremes);
	all |= petite_register(&doubled, "testing::extremes.out", extremes);
	all |= petite_register(&doubled, "testing::frame_energy.out", doubled_frame_energy);
	all |= petite_register(&lacking, "testing::frame_energy.out", give_up);
	write_status("registered", all);
	write_status("full", petite_register(&plain, "testing::third.out", give_up));
	write_status("duplicate", petite_register(&plain, "testing::extremes.out", give_up));

	run_unbound();
	bind("lacking", &lacking);
	run_unbound();

	bind("plain", &plain);
	run("run");
	write_status("nested run", nested_run);
	write_status("nested bind", nested_bind);
	bind("lacking", &lacking);
	bind("doubled", &doubled);
	run("run");

	lacking.entries = plain.entries;
	lacking.count = plain.count;
	plain.entries[1].function = give_up;
	bind("giving up", &lacking);
	write_input();
	write_status("run", petite_run(&energy_plan));
	return 0;
}
