/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Skips the steps that follow, up to the end of a branch, where the branch is not taken.
 *
 *     taken = (*condition != 0) == (sense != 0)
 *     result = taken ? PETITE_OK : skip
 *
 * A branch stands in front of its steps. Its other side is a branch of its own, with the opposite
 * sense. Branches nest: the steps of one may hold another, whose end is not beyond its own.
 *
 * Ranges: skip is 1 to PETITE_MAX_SKIP, and at least so many steps follow.
 *
 * Overlap: it writes nothing.
 */
#ifndef PETITE_KERNELS_BRANCH_H
#define PETITE_KERNELS_BRANCH_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_branch {
	/** A bool: one byte, false where it is 0. */
	const void *condition;
	/** Nonzero where the steps are those of a true condition. */
	int32_t sense;
	/** Steps of the branch. */
	int32_t skip;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_branch.
 * @retval PETITE_OK The steps of the branch are next.
 * @return Otherwise how many steps to skip; see petite/kernel.h. (The contract is not checked.)
 */
enum petite_status petite_branch_scalar(const void *params);

#endif /* PETITE_KERNELS_BRANCH_H */
