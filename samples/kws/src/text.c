/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

static void add_character(struct kws_text *text, char character)
{
	if (text->length < KWS_TEXT_SIZE - 1) {
		text->characters[text->length++] = character;
		text->characters[text->length] = '\0';
	}
}

void kws_text_clear(struct kws_text *text)
{
	text->length = 0;
	text->characters[0] = '\0';
}

void kws_text_add(struct kws_text *text, const char *string)
{
	while (*string != '\0') {
		add_character(text, *string++);
	}
}

void kws_text_add_number(struct kws_text *text, uint32_t number)
{
	char digits[10];
	uint32_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0) {
		add_character(text, digits[--count]);
	}
}

void kws_text_pad(struct kws_text *text, uint32_t column)
{
	while (text->length < column && text->length < KWS_TEXT_SIZE - 1) {
		add_character(text, ' ');
	}
}

void kws_text_add_key(struct kws_text *text, const char *name)
{
	if (text->length > 0 && text->characters[text->length - 1] != '{') {
		add_character(text, ',');
	}
	kws_text_add_quoted(text, name);
	add_character(text, ':');
}

void kws_text_add_quoted(struct kws_text *text, const char *string)
{
	add_character(text, '"');
	for (; *string != '\0'; string++) {
		if (*string == '"' || *string == '\\') {
			add_character(text, '\\');
		}
		add_character(text, (unsigned char)*string < ' ' ? '?' : *string);
	}
	add_character(text, '"');
}
