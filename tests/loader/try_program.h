/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Loads and runs bytes that may be anything.
 */
#ifndef PETITE_TESTS_TRY_PROGRAM_H
#define PETITE_TESTS_TRY_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/**
 * @brief Load the first method of some bytes, and run it on zeros and on other inputs.
 *
 * Ends the process where the loader contradicts itself: where it needs another amount of memory
 * than it said, or writes to memory after it refused. Programs that want more than a few MiB are
 * planned, but not loaded.
 *
 * @return Whether the bytes were accepted.
 */
bool try_program(const uint8_t *bytes, uint32_t size);

#endif /* PETITE_TESTS_TRY_PROGRAM_H */
