/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where an inference starts and stops, for a tool that counts instructions in between.
 */
#ifndef KWS_MARKS_H
#define KWS_MARKS_H

/** Entered before each inference. */
void petite_mark_start(void);

/** Entered after each inference. */
void petite_mark_stop(void);

#endif /* KWS_MARKS_H */
