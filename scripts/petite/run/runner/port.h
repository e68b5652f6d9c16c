/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the runner needs of the system beside petite/platform.h: two files, and its stack.
 */
#ifndef PETITE_RUNNER_PORT_H
#define PETITE_RUNNER_PORT_H

#include <stdbool.h>
#include <stdint.h>

/** What port_run_measured() returns in @p stack where the system cannot tell. */
#define PORT_STACK_UNKNOWN UINT32_MAX

/** Open request.bin and response.bin of the current directory. */
bool port_open(void);

/** Read exactly @p size bytes of the request. */
bool port_read(void *data, uint32_t size);

/** Write @p size bytes of the response. */
bool port_write(const void *data, uint32_t size);

/** Close both files; false where the response may be incomplete. */
bool port_close(void);

struct petite_plan;

/** Run the plan once, between the two marks; sets @p stack to the bytes of stack it used. */
int port_run_measured(const struct petite_plan *plan, uint32_t *stack);

/** What else is measured: gets the pointer that port_measure() was given, and returns a status. */
typedef int (*port_work)(const void *argument);

/** The same for anything. */
int port_measure(port_work work, const void *argument, uint32_t *stack);

/** The instruction counter starts when the first is entered and stops when the second is. */
void petite_mark_start(void);
void petite_mark_stop(void);

#endif /* PETITE_RUNNER_PORT_H */
