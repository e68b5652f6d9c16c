/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Text and numbers, to the console and out of a typed line.
 */
#ifndef UPDATE_TEXT_H
#define UPDATE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/** Print text; a line's end becomes "\r\n", as terminals want it. */
void update_print(const char *text);

/** Print a number. */
void update_print_number(uint32_t number);

/** Print a number as eight hexadecimal digits. */
void update_print_hex(uint32_t number);

/** Print bytes, each as two hexadecimal digits. */
void update_print_bytes(const void *bytes, uint32_t size);

/** Print a name that came from elsewhere: up to 64 characters, what is unprintable as "?". */
void update_print_name(const char *name);

/**
 * @brief Receive a line and show what is typed; a backspace takes a character away.
 *
 * @return False where the line is longer than @p size - 1 characters; it is dropped.
 */
bool update_read_line(char *line, uint32_t size);

/** Whether @p line begins with @p word; if so *rest points at the next word, or the end. */
bool update_take_word(const char *line, const char *word, const char **rest);

/** Take a decimal number that ends with a space or the line; false where there is none. */
bool update_take_number(const char **line, uint32_t *number);

/** The same for a hexadecimal number. */
bool update_take_hex(const char **line, uint32_t *number);

#endif /* UPDATE_TEXT_H */
