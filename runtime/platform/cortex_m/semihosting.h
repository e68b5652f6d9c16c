/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Files, text and exit of the host that emulates (or debugs) the core.
 *
 * Works only under an emulator or a debugger: elsewhere the breakpoint of a call faults.
 */
#ifndef PETITE_SEMIHOSTING_H
#define PETITE_SEMIHOSTING_H

#include <stdint.h>

enum petite_semihosting_mode {
	PETITE_SEMIHOSTING_READ = 1,
	PETITE_SEMIHOSTING_WRITE = 5,
};

/** Open a file of the host, in binary. Returns a handle, or -1. WRITE empties the file. */
int32_t petite_semihosting_open(const char *path, enum petite_semihosting_mode mode);

/** Close a handle. Returns 0, or -1. */
int32_t petite_semihosting_close(int32_t handle);

/** Read up to @p size bytes. Returns how many were read: fewer at the end of the file. */
uint32_t petite_semihosting_read(int32_t handle, void *data, uint32_t size);

/** Write @p size bytes. Returns how many were written: fewer on an error. */
uint32_t petite_semihosting_write(int32_t handle, const void *data, uint32_t size);

/** Write text, which ends with a zero byte, to the emulator's console. */
void petite_semihosting_write_text(const char *text);

/** Write a number there, as "0x" and eight digits. */
void petite_semihosting_write_hex(uint32_t value);

/** Hundredths of a second since the program started. */
uint32_t petite_semihosting_centiseconds(void);

/** Fill @p text with the command line. Returns 0, or -1 where there is none or it is longer. */
int32_t petite_semihosting_command_line(char *text, uint32_t size);

/** End the emulator, or tell the debugger; @p status is its exit status. */
_Noreturn void petite_semihosting_exit(uint32_t status);

#endif /* PETITE_SEMIHOSTING_H */
