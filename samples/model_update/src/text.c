/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "console.h"

#define BACKSPACE '\b'
#define DELETE 0x7f
#define LONGEST_NAME 64
#define WAIT_MS 1000

static bool is_printable(int character)
{
	return character >= ' ' && character <= '~';
}

void update_print(const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\n') {
			update_console_put('\r');
		}
		update_console_put((uint8_t)*text);
	}
}

void update_print_number(uint32_t number)
{
	char digits[11] = "";
	uint32_t first = sizeof(digits) - 1;

	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	update_print(digits + first);
}

static void print_digit(uint32_t value)
{
	update_console_put((uint8_t)"0123456789abcdef"[value & 0xf]);
}

void update_print_hex(uint32_t number)
{
	for (uint32_t shift = 32; shift > 0; shift -= 4) {
		print_digit(number >> (shift - 4));
	}
}

void update_print_bytes(const void *bytes, uint32_t size)
{
	const uint8_t *byte = bytes;

	for (uint32_t i = 0; i < size; i++) {
		print_digit((uint32_t)byte[i] >> 4);
		print_digit(byte[i]);
	}
}

void update_print_name(const char *name)
{
	for (uint32_t i = 0; i < LONGEST_NAME && name[i] != '\0'; i++) {
		update_console_put(is_printable(name[i]) ? (uint8_t)name[i] : '?');
	}
}

/** Take the last character away, also on the terminal. */
static uint32_t rub_out(uint32_t length)
{
	if (length == 0) {
		return 0;
	}
	update_print("\b \b");
	return length - 1;
}

bool update_read_line(char *line, uint32_t size)
{
	uint32_t length = 0;
	bool fits = true;

	for (;;) {
		int byte = update_console_get(WAIT_MS);

		if (byte == '\r' || byte == '\n') {
			break;
		}
		if (byte == BACKSPACE || byte == DELETE) {
			length = rub_out(length);
		} else if (is_printable(byte) && length + 1 < size) {
			update_console_put((uint8_t)byte);
			line[length++] = (char)byte;
		} else if (is_printable(byte)) {
			fits = false;
		}
	}
	line[length] = '\0';
	update_print("\n");
	return fits;
}

static const char *skip_spaces(const char *line)
{
	while (*line == ' ') {
		line++;
	}
	return line;
}

bool update_take_word(const char *line, const char *word, const char **rest)
{
	line = skip_spaces(line);
	for (; *word != '\0'; word++, line++) {
		if (*line != *word) {
			return false;
		}
	}
	if (*line != ' ' && *line != '\0') {
		return false;
	}
	*rest = skip_spaces(line);
	return true;
}

/** The value of a digit; 16 for what is none. */
static uint32_t digit_value(char digit)
{
	if (digit >= '0' && digit <= '9') {
		return (uint32_t)(digit - '0');
	}
	if (digit >= 'a' && digit <= 'f') {
		return (uint32_t)(digit - 'a') + 10;
	}
	if (digit >= 'A' && digit <= 'F') {
		return (uint32_t)(digit - 'A') + 10;
	}
	return 16;
}

static bool take(const char **line, uint32_t base, uint32_t *number)
{
	const char *at = *line;
	uint64_t value = 0;

	if (digit_value(*at) >= base) {
		return false;
	}
	for (; digit_value(*at) < base; at++) {
		value = value * base + digit_value(*at);
		if (value > UINT32_MAX) {
			return false;
		}
	}
	if (*at != ' ' && *at != '\0') {
		return false;
	}
	*number = (uint32_t)value;
	*line = skip_spaces(at);
	return true;
}

bool update_take_number(const char **line, uint32_t *number)
{
	return take(line, 10, number);
}

bool update_take_hex(const char **line, uint32_t *number)
{
	return take(line, 16, number);
}
