/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Changes of what a program says, where changes of its bytes would mostly be refused.
 */
#ifndef PETITE_TESTS_MUTATE_PROGRAM_H
#define PETITE_TESTS_MUTATE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/**
 * @brief Change one thing of a sound program: a number, a size, an order, a type, a place in
 *        memory, an argument, an operator, a jump, a move, the order of instructions.
 *
 * @param bytes The program; aligned to 16 bytes.
 * @param seed  Decides what.
 *
 * @return Whether something was changed; not if the tables are not sound.
 */
bool mutate_program(uint8_t *bytes, uint32_t size, uint32_t seed);

#endif /* PETITE_TESTS_MUTATE_PROGRAM_H */
