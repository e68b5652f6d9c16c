/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Where every exception goes that nobody asked for.
 */
#ifndef PETITE_FAULT_H
#define PETITE_FAULT_H

/** Says by semihosting where the firmware stopped, and exits with PETITE_FAULT_STATUS. */
void petite_fault_handler(void);

/** Exit status after a fault. */
#define PETITE_FAULT_STATUS 70U

#endif /* PETITE_FAULT_H */
