/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include <petite/verify.h>

/* Remainders of the sixteen values of four bits, by the reversed polynomial 0xEDB88320. */
static const uint32_t remainders[16] = {
	0x00000000U, 0x1DB71064U, 0x3B6E20C8U, 0x26D930ACU, 0x76DC4190U, 0x6B6B51F4U,
	0x4DB26158U, 0x5005713CU, 0xEDB88320U, 0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU,
	0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU,
};

/* volatile: a link-time optimiser knows what the bytes should be, and must look all the same. */
static uint32_t crc32(const volatile uint8_t *data, uint32_t size)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < size; i++) {
		crc ^= data[i];
		crc = (crc >> 4) ^ remainders[crc & 0xFU];
		crc = (crc >> 4) ^ remainders[crc & 0xFU];
	}
	return ~crc;
}

enum petite_status petite_verify(const struct petite_checksums *checksums, uint32_t *corrupt)
{
	if (checksums == NULL) {
		return PETITE_ERR_ARGUMENT;
	}
	for (uint32_t i = 0; i < checksums->count; i++) {
		const struct petite_checksum *item = &checksums->items[i];

		if (crc32(item->data, item->size) != item->crc) {
			if (corrupt != NULL) {
				*corrupt = i;
			}
			return PETITE_ERR_CORRUPT;
		}
	}
	return PETITE_OK;
}
