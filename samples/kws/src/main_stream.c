/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to the files that a host sends (play.py), session after session. */
#include <petite/platform.h>

#include "app.h"
#include "stream.h"

int main(void)
{
	static struct kws_stream stream;
	const struct kws_byte_source bytes = {.read = kws_stream_read, .context = &stream};
	bool started = false;

	petite_platform_write("kws waits for recordings; send them with samples/kws/play.py\n");
	for (;;) {
		char name[KWS_STREAM_NAME];

		if (kws_stream_next(&stream, name)) {
			if (!started) {
				kws_app_start();
				started = true;
			}
			kws_app_play(name, &bytes);
		} else if (started) {
			kws_app_finish();
			started = false;
		}
	}
}
