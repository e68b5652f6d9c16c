/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Files that a host sends over the serial line, block by block, as the device asks for them.
 *
 * The line carries the device's text, and between it requests of two bytes:
 *
 *     device: ENQ what
 *     host:   STX what length[2] payload[length] crc[2]
 *
 * | what | payload |
 * |---|---|
 * | N | name of the next file, printable ASCII; none where there is no further file |
 * | 0, 1 | the file's next block, its first being 0, then in turn; none at its end |
 *
 * ENQ is 0x05 and STX 0x02. Numbers of two bytes are little-endian. The CRC is that of
 * CRC-16/IBM-3740 (polynomial 0x1021, initial value 0xffff) over all from `what` to the payload's
 * end.
 *
 * The host sends nothing that it was not asked for, so a device that polls its UART loses no byte.
 * The device repeats a request that is not answered well within a second. To a repeated request
 * the host gives the same answer; from a repeated N after a block has been asked for it learns that
 * the device has given the file up, or was reset.
 */
#ifndef KWS_STREAM_H
#define KWS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/** Longest payload: 20 ms of sound. */
#define KWS_STREAM_BLOCK 640
/** Longest name, terminating zero included. */
#define KWS_STREAM_NAME 64

#define KWS_STREAM_ENQ 0x05
#define KWS_STREAM_STX 0x02

/** The file that is being received. */
struct kws_stream {
	uint8_t block[KWS_STREAM_BLOCK];
	/** Of the block: what has been read, and what there is. */
	uint32_t at, size;
	/** What to ask for next: '0' or '1'. */
	uint8_t what;
	bool ended;
};

/** @brief Wait for the next file; false where the host has no further one. */
bool kws_stream_next(struct kws_stream *stream, char name[KWS_STREAM_NAME]);

/** @brief Read up to @p size bytes; a kws_byte_source whose context is a struct kws_stream. */
uint32_t kws_stream_read(void *stream, void *data, uint32_t size);

#endif /* KWS_STREAM_H */
