/* SPDX-License-Identifier: Apache-2.0 */
/* The same program on a host: listens to the WAV files of its arguments, or of clips.txt. */
#include "app.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		kws_app_play(argv[i]);
	}
	if (argc < 2) {
		kws_app_play_list("clips.txt");
	}
	return kws_app_finish();
}
