/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's entry: listens to the WAV files that the emulator's command line names (what
 * follows the program's own name, separated by spaces), or to those of clips.txt in the current
 * directory where it names none.
 */
#include <string.h>

#include <platform/cortex_m/semihosting.h>

#include "app.h"
#include "play_files.h"

#define COMMAND_SIZE 1024

static char command[COMMAND_SIZE];

/** Cut the next word off @p rest; NULL where there is none. */
static char *next_word(char **rest)
{
	char *word = *rest;
	char *end;

	while (*word == ' ') {
		word++;
	}
	end = word;
	while (*end != ' ' && *end != '\0') {
		end++;
	}
	*rest = end;
	if (*end == ' ') {
		*end = '\0';
		*rest = end + 1;
	}
	return end == word ? NULL : word;
}

int main(void)
{
	char *rest = command;
	char *word;
	int played = 0;

	kws_app_start();
	if (petite_semihosting_command_line(command, sizeof(command)) == 0) {
		next_word(&rest);
		while ((word = next_word(&rest)) != NULL) {
			kws_play_file(word);
			played++;
		}
	}
	if (played == 0) {
		kws_play_list("clips.txt");
	}
	return kws_app_finish();
}
