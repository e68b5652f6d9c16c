/* SPDX-License-Identifier: Apache-2.0 */
/* Listens to the clips that were compiled in, once. */
#include "app.h"
#include "clips.h"
#include "memory_source.h"

int main(void)
{
	kws_app_start();
	for (uint32_t i = 0; i < kws_clip_count; i++) {
		struct kws_memory memory = {.bytes = kws_clips[i].bytes, .left = kws_clips[i].size};
		const struct kws_byte_source bytes = {.read = kws_memory_read, .context = &memory};

		kws_app_play(kws_clips[i].name, &bytes);
	}
	return kws_app_finish();
}
