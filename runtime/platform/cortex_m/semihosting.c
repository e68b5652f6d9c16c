/* SPDX-License-Identifier: Apache-2.0 */
#include "semihosting.h"

/* Operation numbers of Arm's "Semihosting for AArch32 and AArch64". */
enum {
	OP_OPEN = 0x01,
	OP_CLOSE = 0x02,
	OP_WRITE0 = 0x04,
	OP_WRITE = 0x05,
	OP_READ = 0x06,
	OP_CLOCK = 0x10,
	OP_GET_CMDLINE = 0x15,
	OP_EXIT_EXTENDED = 0x20,
};

#define STOPPED_APPLICATION_EXIT 0x20026U

static int32_t call(uint32_t operation, const void *argument)
{
	register uint32_t r0 __asm__("r0") = operation;
	register const void *r1 __asm__("r1") = argument;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return (int32_t)r0;
}

/* volatile, or the compiler would make the loop a call of strlen. */
static uint32_t text_length(const volatile char *text)
{
	uint32_t length = 0;

	while (text[length] != '\0') {
		length++;
	}
	return length;
}

int32_t petite_semihosting_open(const char *path, enum petite_semihosting_mode mode)
{
	const uint32_t block[] = {(uint32_t)path, (uint32_t)mode, text_length(path)};

	return call(OP_OPEN, block);
}

int32_t petite_semihosting_close(int32_t handle)
{
	const uint32_t block[] = {(uint32_t)handle};

	return call(OP_CLOSE, block);
}

uint32_t petite_semihosting_read(int32_t handle, void *data, uint32_t size)
{
	const uint32_t block[] = {(uint32_t)handle, (uint32_t)data, size};
	const uint32_t missing = (uint32_t)call(OP_READ, block);

	return missing > size ? 0 : size - missing;
}

uint32_t petite_semihosting_write(int32_t handle, const void *data, uint32_t size)
{
	const uint32_t block[] = {(uint32_t)handle, (uint32_t)data, size};
	const uint32_t missing = (uint32_t)call(OP_WRITE, block);

	return missing > size ? 0 : size - missing;
}

void petite_semihosting_write_text(const char *text)
{
	call(OP_WRITE0, text);
}

void petite_semihosting_write_hex(uint32_t value)
{
	char text[] = "0x00000000";

	for (uint32_t i = 0; i < 8U; i++) {
		text[9U - i] = "0123456789abcdef"[(value >> (4U * i)) & 0xfU];
	}
	petite_semihosting_write_text(text);
}

uint32_t petite_semihosting_centiseconds(void)
{
	return (uint32_t)call(OP_CLOCK, (const void *)0);
}

int32_t petite_semihosting_command_line(char *text, uint32_t size)
{
	uint32_t block[] = {(uint32_t)text, size};

	return call(OP_GET_CMDLINE, block);
}

void petite_semihosting_exit(uint32_t status)
{
	const uint32_t block[] = {STOPPED_APPLICATION_EXIT, status};

	for (;;) {
		call(OP_EXIT_EXTENDED, block);
	}
}
