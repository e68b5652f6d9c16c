/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Commands that come over the console, typed or sent by update.py.
 *
 * A command is a line; the device shows what it receives. Every command ends with a line that
 * begins with "ok" or "error". In between are lines to read, and lines "send OFFSET BYTES" that ask
 * for data (transfer.h).
 *
 *     help
 *     info                 slots, memory, inputs and outputs
 *     put BYTES CRC        store a program of so many bytes, with that CRC-32 (hexadecimal); it
 * runs from then on, also after a reset run                  one inference: takes all inputs, one
 * after the other, and prints "output NUMBER TYPE: BYTES" for each output, in hexadecimal erase
 * forget all programs
 */
#ifndef UPDATE_PROTOCOL_H
#define UPDATE_PROTOCOL_H

/** Find the newest program that can be loaded, and say what there is. */
void update_start(void);

/** Receive a line and do what it says. */
void update_serve(void);

#endif /* UPDATE_PROTOCOL_H */
