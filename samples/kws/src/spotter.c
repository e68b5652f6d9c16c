/* SPDX-License-Identifier: Apache-2.0 */
#include "spotter.h"

#include <petite/petite.h>
#include <petite/platform.h>

#include "kws.h"
#include "marks.h"

_Static_assert(KWS_INPUT0_COUNT == KWS_FEATURES,
	       "the model's input is not what the front end makes");
_Static_assert(KWS_OUTPUT0_COUNT == KWS_LABELS, "the model's classes are not those of labels.c");

static const struct kws_grid grid = KWS_GRID(KWS_INPUT0_SCALE, KWS_INPUT0_ZERO_POINT);

static const struct kws_detector_config config = {
	.log2_step = KWS_LOG2_STEP(KWS_OUTPUT0_SCALE),
	.threshold = 32768 * KWS_THRESHOLD_PERCENT / 100,
	.rest_ms = KWS_REST_MS,
};

void kws_spotter_init(struct kws_spotter *spotter)
{
	kws_frontend_init(&spotter->frontend, &grid);
	kws_detector_init(&spotter->detector, &config);
	spotter->hops = 0;
	spotter->inferences = 0;
	spotter->ticks = 0;
}

enum petite_status kws_spotter_push(struct kws_spotter *spotter, const int16_t hop[KWS_HOP],
				    bool *found, struct kws_detection *detection)
{
	enum petite_status status;
	uint32_t start;

	*found = false;
	kws_frontend_push(&spotter->frontend, hop);
	spotter->hops++;
	if (spotter->hops % KWS_HOPS_PER_INFERENCE != 0) {
		return PETITE_OK;
	}
	kws_frontend_read(&spotter->frontend, kws_input0());
	start = petite_platform_ticks();
	petite_mark_start();
	status = petite_run(&kws_plan);
	petite_mark_stop();
	spotter->ticks = petite_platform_ticks() - start;
	if (status != PETITE_OK) {
		return status;
	}
	spotter->inferences++;
	*found = kws_detector_update(&spotter->detector, kws_output0(),
				     spotter->hops * (1000 * KWS_HOP / KWS_RATE), detection);
	return PETITE_OK;
}
