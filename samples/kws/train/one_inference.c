/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled model as one function, for compiled.py. */
#include <string.h>

#include "kws.h"

int kws_infer(const int8_t *features, int8_t *scores);

int kws_infer(const int8_t *features, int8_t *scores)
{
	enum petite_status status;

	memcpy(kws_input0(), features, KWS_INPUT0_BYTES);
	status = petite_run(&kws_plan);
	memcpy(scores, kws_output0(), KWS_OUTPUT0_BYTES);
	return status;
}
