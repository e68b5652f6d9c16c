/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Whether the tables of a file can be read without leaving it.
 */
#ifndef PETITE_LOADER_VERIFY_TABLES_H
#define PETITE_LOADER_VERIFY_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "file.h"

/**
 * @brief Check every offset, length, alignment, string end, union and required field.
 *
 * Fields that this version does not know are refused too: they may change what a program means.
 * Many offsets may lead to one object, so the bytes visited are counted, and a file is refused
 * where they are more than twice the length of its tables. Nesting is bounded by the schema, which
 * has no cycle.
 *
 * @param file An open file.
 * @param at   Set to the byte of what is wrong.
 *
 * @return Whether all is right.
 */
bool petite_verify_tables(const struct petite_file *file, uint32_t *at);

#endif /* PETITE_LOADER_VERIFY_TABLES_H */
