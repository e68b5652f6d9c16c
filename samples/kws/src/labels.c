/* SPDX-License-Identifier: Apache-2.0 */
#include "labels.h"

const char *const kws_labels[KWS_LABELS] = {
	"silence", "unknown", "yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go",
};
