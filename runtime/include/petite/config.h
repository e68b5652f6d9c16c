/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What a build of the runtime may choose. Define a macro on the compiler's command line.
 */
#ifndef PETITE_CONFIG_H
#define PETITE_CONFIG_H

/**
 * 1: the executor reports refusals, failures, and the start and end of each run through
 * petite_platform_log(). 0: it reports nothing, and its code and data are those of a runtime that
 * has no logging. Matters only where the runtime itself is compiled.
 */
#ifndef PETITE_LOG
#define PETITE_LOG 0
#endif

/**
 * Slots of a registry of the application's operators (see registry.h), at least 1. Matters only
 * where an application defines a registry of this size.
 */
#ifndef PETITE_REGISTRY_SIZE
#define PETITE_REGISTRY_SIZE 8
#endif

/**
 * 1: the loader (loader.h) checks every offset, length and type of a program's tables before it
 * reads them. 0: it trusts them, which may only be where whoever wrote the program is trusted and
 * the bytes are known to be what was written, by a signature say. Matters only where the runtime
 * itself is compiled.
 */
#ifndef PETITE_VERIFY
#define PETITE_VERIFY 1
#endif

/**
 * Most values of a method (tensors and numbers) that the loader takes, at most 65535: it needs a
 * bit of stack for each. Each branch around an instruction takes as many again as the method has.
 * Matters only where the runtime itself is compiled.
 */
#ifndef PETITE_LOAD_VALUES
#define PETITE_LOAD_VALUES 4096
#endif

#endif /* PETITE_CONFIG_H */
