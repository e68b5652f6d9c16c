/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The one set of result codes that every public call returns.
 */
#ifndef PETITE_STATUS_H
#define PETITE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** Zero is success; every failure is negative and has one meaning. */
enum petite_status {
	/** The call did what it says. */
	PETITE_OK = 0,
	/** A pointer is NULL, or an index or a size is out of range. The call changed nothing. */
	PETITE_ERR_ARGUMENT = -1,
	/**
	 * A method of the same model is running, or a model in the same arena: they share their
	 * memory. The call changed nothing; try again when the running call has returned.
	 */
	PETITE_ERR_BUSY = -2,
	/** The plan was generated for another version of this runtime. Compile the model again. */
	PETITE_ERR_VERSION = -3,
	/**
	 * A kernel met parameters outside its contract. The outputs are undefined. A plan made by
	 * `petite compile` never causes it.
	 */
	PETITE_ERR_KERNEL = -4,
	/** The memory of a constant does not hold what the compiler put there; see verify.h. */
	PETITE_ERR_CORRUPT = -5,
	/** All slots of a registry are taken. The call changed nothing. */
	PETITE_ERR_FULL = -6,
	/** A registry has an operator of that name already. The call changed nothing. */
	PETITE_ERR_DUPLICATE = -7,
	/** A registry lacks an operator that the model calls. The call changed nothing. */
	PETITE_ERR_NOT_REGISTERED = -8,
	/**
	 * The model calls operators of the application, and petite_bind() has not found them yet.
	 * No output was written; states have their initial values if this was the first call.
	 */
	PETITE_ERR_NOT_BOUND = -9,
	/** An operator of the application gave up. Outputs and states are undefined. */
	PETITE_ERR_OPERATOR = -10,
	/**
	 * An operator met data for which it has no result: an integer was divided by zero, or an
	 * index is out of range. Outputs and states are undefined.
	 */
	PETITE_ERR_DATA = -11,
	/** Bytes are no program of the format that is read here, or a damaged one. */
	PETITE_ERR_FORMAT = -12,
	/** A program is sound, but has something that the loader or an operator does not take. */
	PETITE_ERR_UNSUPPORTED = -13,
	/** Memory that was given is too small, or not aligned. The call changed nothing. */
	PETITE_ERR_MEMORY = -14,
	/**
	 * No result of any call: the most steps that a kernel can tell the executor to skip (see
	 * kernel.h). That it is here makes the type wide enough for it.
	 */
	PETITE_MAX_SKIP = 65535,
};

#ifdef __cplusplus
}
#endif

#endif /* PETITE_STATUS_H */
