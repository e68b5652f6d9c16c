/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief All that an application needs beside a model's own generated header.
 */
#ifndef PETITE_PETITE_H
#define PETITE_PETITE_H

#include <petite/executor.h>
#include <petite/operator.h>
#include <petite/plan.h>
#include <petite/profile.h>
#include <petite/registry.h>
#include <petite/status.h>
#include <petite/verify.h>

#endif /* PETITE_PETITE_H */
