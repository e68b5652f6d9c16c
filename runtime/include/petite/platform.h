/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What samples and the runner ask of the system they run on.
 *
 * A port is one file that defines these functions; runtime/platform/template is there to copy. The
 * executor and the kernels call none of them.
 */
#ifndef PETITE_PLATFORM_H
#define PETITE_PLATFORM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Write text, which ends with a zero byte, to where a person reads it. */
void petite_platform_write(const char *text);

/** A clock that counts up and wraps to zero after its largest value. */
uint32_t petite_platform_ticks(void);

/** How many ticks of petite_platform_ticks() make a second. */
uint32_t petite_platform_ticks_per_second(void);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_PLATFORM_H */
