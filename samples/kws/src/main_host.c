/* SPDX-License-Identifier: Apache-2.0 */
/* The same program on a host: listens to the WAV files of its arguments, or of clips.txt. */
#include "app.h"
#include "play_files.h"

int main(int argc, char **argv)
{
	kws_app_start();
	for (int i = 1; i < argc; i++) {
		kws_play_file(argv[i]);
	}
	if (argc < 2) {
		kws_play_list("clips.txt");
	}
	return kws_app_finish();
}
