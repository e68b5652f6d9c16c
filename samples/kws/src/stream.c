/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"

#include <string.h>

#include "serial.h"

#define CRC_START 0xffff
#define CRC_POLYNOMIAL 0x1021

static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
	crc ^= (uint16_t)(byte << 8);
	for (uint32_t bit = 0; bit < 8; bit++) {
		crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1);
	}
	return crc;
}

/** Receive a byte and take it into @p crc; false where none comes. */
static bool get(uint8_t *byte, uint16_t *crc)
{
	int received = kws_serial_get();

	*byte = (uint8_t)received;
	*crc = crc_add(*crc, *byte);
	return received >= 0;
}

static bool get_u16(uint16_t *number, uint16_t *crc)
{
	uint8_t low, high;

	if (!get(&low, crc) || !get(&high, crc)) {
		return false;
	}
	*number = (uint16_t)(low | high << 8);
	return true;
}

/** Receive what follows an STX; false where it is damaged or answers another request. */
static bool get_answer(struct kws_stream *stream, uint8_t what)
{
	uint16_t crc = CRC_START;
	uint16_t length, sent, ignored;
	uint8_t answered;

	if (!get(&answered, &crc) || !get_u16(&length, &crc) || length > KWS_STREAM_BLOCK) {
		return false;
	}
	for (uint32_t i = 0; i < length; i++) {
		if (!get(&stream->block[i], &crc)) {
			return false;
		}
	}
	ignored = crc;
	if (!get_u16(&sent, &ignored) || sent != crc || answered != what) {
		return false;
	}
	stream->size = length;
	stream->at = 0;
	return true;
}

/** Receive the answer to a request; false where the line falls silent before. */
static bool await(struct kws_stream *stream, uint8_t what)
{
	int byte;

	while ((byte = kws_serial_get()) >= 0) {
		if (byte == KWS_STREAM_STX && get_answer(stream, what)) {
			return true;
		}
	}
	return false;
}

static void request(struct kws_stream *stream, uint8_t what)
{
	do {
		kws_serial_put(KWS_STREAM_ENQ);
		kws_serial_put(what);
	} while (!await(stream, what));
}

bool kws_stream_next(struct kws_stream *stream, char name[KWS_STREAM_NAME])
{
	uint32_t length;

	request(stream, 'N');
	length = stream->size < KWS_STREAM_NAME ? stream->size : KWS_STREAM_NAME - 1;
	memcpy(name, stream->block, length);
	name[length] = '\0';
	stream->at = 0;
	stream->size = 0;
	stream->what = '0';
	stream->ended = false;
	return length > 0;
}

uint32_t kws_stream_read(void *context, void *data, uint32_t size)
{
	struct kws_stream *stream = context;
	uint8_t *to = data;
	uint32_t done = 0;

	while (done < size && !stream->ended) {
		uint32_t count = stream->size - stream->at;

		if (count == 0) {
			request(stream, stream->what);
			stream->what = stream->what == '0' ? '1' : '0';
			stream->ended = stream->size == 0;
			continue;
		}
		count = count < size - done ? count : size - done;
		memcpy(to + done, stream->block + stream->at, count);
		stream->at += count;
		done += count;
	}
	return done;
}
