/* SPDX-License-Identifier: Apache-2.0 */
#include "crc32.h"

#define POLYNOMIAL 0xEDB88320U

/* Remainders of the sixteen values of four bits. */
static const uint32_t remainders[16] = {
	0x00000000U, 0x1DB71064U, 0x3B6E20C8U, 0x26D930ACU, 0x76DC4190U, 0x6B6B51F4U,
	0x4DB26158U, 0x5005713CU, POLYNOMIAL,  0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU,
	0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU,
};

uint32_t update_crc32(uint32_t crc, const void *data, uint32_t size)
{
	const uint8_t *bytes = data;

	crc = ~crc;
	for (uint32_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		crc = (crc >> 4) ^ remainders[crc & 0xFU];
		crc = (crc >> 4) ^ remainders[crc & 0xFU];
	}
	return ~crc;
}
