/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief All that an application needs beside a model's own generated header.
 */
#ifndef PETITE_PETITE_H
#define PETITE_PETITE_H

#include <petite/executor.h>
#include <petite/plan.h>
#include <petite/status.h>

#endif /* PETITE_PETITE_H */
