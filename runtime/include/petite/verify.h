/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Finds constants whose memory does not hold what the compiler put there.
 *
 * A compiled program was verified by the compiler. What can still go wrong is memory: weights that
 * nobody copied to RAM, a section that the linker script does not load, flash that is damaged or
 * was written in part. `petite compile --checksums` puts a table of checksums beside a model's
 * constants. Steps and their parameters hold addresses, which only the linker knows, and are not
 * covered.
 */
#ifndef PETITE_VERIFY_H
#define PETITE_VERIFY_H

#include <stdint.h>

#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One constant. */
struct petite_checksum {
	/** First byte. */
	const void *data;
	/** Size in bytes. */
	uint32_t size;
	/** CRC-32 of IEEE 802.3 (that of zlib, Ethernet and PNG) over these bytes. */
	uint32_t crc;
};

/** All constants of a model, each of them once. */
struct petite_checksums {
	/** [count], or NULL for none. */
	const struct petite_checksum *items;
	uint32_t count;
};

/**
 * @brief Compare the constants of a model with their checksums.
 *
 * Reads every byte of every constant, up to the first that is wrong: call it once after start, not
 * before each run. Changes nothing, so it may run while the model runs.
 *
 * @param checksums  NAME_checksums of the generated header.
 * @param corrupt    Where to put the index in @p checksums of the first constant that is wrong;
 *                   written only with PETITE_ERR_CORRUPT. May be NULL.
 *
 * @retval PETITE_OK            Every constant is as compiled.
 * @retval PETITE_ERR_ARGUMENT  @p checksums is NULL.
 * @retval PETITE_ERR_CORRUPT   A constant differs from what was compiled.
 */
enum petite_status petite_verify(const struct petite_checksums *checksums, uint32_t *corrupt);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_VERIFY_H */
