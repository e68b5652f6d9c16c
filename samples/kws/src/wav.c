/* SPDX-License-Identifier: Apache-2.0 */
#include "wav.h"

#include <stdbool.h>
#include <string.h>

#define FORMAT_PCM 1
#define RATE 16000

static uint32_t u16(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t u32(const uint8_t *bytes)
{
	return u16(bytes) | u16(bytes + 2) << 16;
}

static bool get(struct kws_wav *wav, uint8_t *data, uint32_t size)
{
	return wav->bytes.read(wav->bytes.context, data, size) == size;
}

static bool skip(struct kws_wav *wav, uint32_t size)
{
	uint8_t waste[64];

	while (size > 0) {
		uint32_t part = size < sizeof(waste) ? size : sizeof(waste);

		if (!get(wav, waste, part)) {
			return false;
		}
		size -= part;
	}
	return true;
}

/** Skip a chunk; its length is rounded up to an even number in the file. */
static bool skip_chunk(struct kws_wav *wav, uint32_t size)
{
	return skip(wav, size) && skip(wav, size & 1);
}

static const char *read_format(struct kws_wav *wav, uint32_t size)
{
	uint8_t format[16];

	if (size < sizeof(format) || !get(wav, format, sizeof(format)) ||
	    !skip_chunk(wav, size - sizeof(format))) {
		return "the format chunk is cut short";
	}
	if (u16(format) != FORMAT_PCM || u16(format + 14) != 16) {
		return "not 16-bit PCM; convert it (sox in.wav -b 16 -e signed out.wav)";
	}
	if (u16(format + 2) != 1) {
		return "not mono; convert it (sox in.wav -c 1 out.wav)";
	}
	if (u32(format + 4) != RATE) {
		return "not at 16000 samples per second; convert it (sox in.wav -r 16000 out.wav)";
	}
	return NULL;
}

const char *kws_wav_open(struct kws_wav *wav, const struct kws_byte_source *bytes)
{
	uint8_t header[12];
	bool known = false;

	wav->bytes = *bytes;
	wav->left = 0;
	if (!get(wav, header, 12) || memcmp(header, "RIFF", 4) != 0 ||
	    memcmp(header + 8, "WAVE", 4) != 0) {
		return "not a WAV file";
	}
	while (get(wav, header, 8)) {
		uint32_t size = u32(header + 4);

		if (memcmp(header, "data", 4) == 0) {
			wav->left = size & ~1u;
			return known ? NULL : "the data comes before its format";
		}
		if (memcmp(header, "fmt ", 4) == 0) {
			const char *error = read_format(wav, size);

			if (error != NULL) {
				return error;
			}
			known = true;
		} else if (!skip_chunk(wav, size)) {
			break;
		}
	}
	return "no data chunk";
}

uint32_t kws_wav_read(void *context, int16_t *samples, uint32_t count)
{
	struct kws_wav *wav = context;
	uint32_t done = 0;

	while (done < count && wav->left > 0) {
		uint8_t bytes[128];
		uint32_t wanted = (count - done) * 2;
		uint32_t got;

		wanted = wanted < wav->left ? wanted : wav->left;
		wanted = wanted < sizeof(bytes) ? wanted : sizeof(bytes);
		got = wav->bytes.read(wav->bytes.context, bytes, wanted);
		for (uint32_t i = 0; i + 1 < got; i += 2) {
			samples[done++] = (int16_t)u16(bytes + i);
		}
		wav->left -= got;
		if (got < wanted) {
			break;
		}
	}
	return done;
}
