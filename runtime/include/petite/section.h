/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief How generated code names the place of its data for the linker.
 */
#ifndef PETITE_SECTION_H
#define PETITE_SECTION_H

/** Put an object into a section of its own, aligned to a power of two in bytes. */
#define PETITE_PLACED(name, alignment) __attribute__((section(name), aligned(alignment)))

#endif /* PETITE_SECTION_H */
