/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Prints numbers to where petite_platform_write() prints text.
 */
#ifndef HELLO_PRINT_H
#define HELLO_PRINT_H

#include <stdint.h>

/** @brief Print an integer. */
void print_integer(int32_t number);

/** @brief Print a number with three decimals, rounded. */
void print_decimal(float number);

#endif /* HELLO_PRINT_H */
