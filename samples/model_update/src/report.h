/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the device says of itself, in lines for a person.
 */
#ifndef UPDATE_REPORT_H
#define UPDATE_REPORT_H

#include <petite/plan.h>

#include "model.h"
#include "store.h"

/** The last line of a command that did what it says. */
void update_report_ok(void);

/** The last line of one that did not: what, and what to do. */
void update_report_error(const char *text);

/** The same for what the store says. */
void update_report_status(const struct update_store *store, enum update_status status);

/** A slot, and whether it is the one in use. */
void update_report_slot(const struct update_store *store, uint32_t slot, uint32_t in_use);

/** Why the program of a slot is not used, at start. */
void update_report_refused_slot(uint32_t slot, const struct update_verdict *verdict);

/** The last line of a command that sent a program which is refused. */
void update_report_refused(const struct update_verdict *verdict);

/** How much memory a program needs, and how much there is. */
void update_report_memory(const struct petite_load_need *need);

/** Inputs or outputs. */
void update_report_buffers(const char *name, const struct petite_buffer *buffers, uint32_t count);

/** An output's values. */
void update_report_output(uint32_t number, const struct petite_buffer *output);

#endif /* UPDATE_REPORT_H */
