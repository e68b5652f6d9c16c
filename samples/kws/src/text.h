/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Builds a line of text in a fixed buffer; what does not fit is left out.
 */
#ifndef KWS_TEXT_H
#define KWS_TEXT_H

#include <stdint.h>

/** Longest line, terminating zero included. */
#define KWS_TEXT_SIZE 256

struct kws_text {
	uint32_t length;
	char characters[KWS_TEXT_SIZE];
};

/** @brief Make it empty. */
void kws_text_clear(struct kws_text *text);

/** @brief Append a string. */
void kws_text_add(struct kws_text *text, const char *string);

/** @brief Append a number in decimal. */
void kws_text_add_number(struct kws_text *text, uint32_t number);

/** @brief Append spaces up to @p column. */
void kws_text_pad(struct kws_text *text, uint32_t column);

/** @brief Append `"name":`, after a comma unless it is the first. */
void kws_text_add_key(struct kws_text *text, const char *name);

/** @brief Append a quoted JSON string; control characters become question marks. */
void kws_text_add_quoted(struct kws_text *text, const char *string);

#endif /* KWS_TEXT_H */
