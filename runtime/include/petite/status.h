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
	 * A method of the same model is running (methods of one model share their memory). The
	 * call changed nothing; try again when the running call has returned.
	 */
	PETITE_ERR_BUSY = -2,
	/** The plan was generated for another version of this runtime. Compile the model again. */
	PETITE_ERR_VERSION = -3,
	/**
	 * A kernel met parameters outside its contract. The outputs are undefined. A plan made by
	 * `petite compile` never causes it.
	 */
	PETITE_ERR_KERNEL = -4,
};

#ifdef __cplusplus
}
#endif

#endif /* PETITE_STATUS_H */
