/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What an operator that the application brings is given.
 *
 * A model may call operators that Petite does not have, say the custom operator
 * `mylib::spectrogram` of its PyTorch module. `petite compile --application-operators 'mylib::*'`
 * lets it, and the application registers a function for the name (see registry.h).
 */
#ifndef PETITE_OPERATOR_H
#define PETITE_OPERATOR_H

#include <stdint.h>

#include <petite/plan.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A tensor: dense, the last dimension innermost, whatever the order of memory elsewhere in the
 * model. An element is therefore found from the shape that PyTorch sees.
 */
struct petite_tensor {
	/**
	 * First element, aligned for its type. Read only in an argument: it may be a constant in
	 * flash, or be read again later. Outputs overlap no argument and no other output.
	 */
	void *data;
	/** [rank], outermost first; NULL where rank is 0, which is a single element. */
	const int32_t *dims;
	uint8_t rank;
	/** An enum petite_dtype. */
	uint8_t dtype;
};

/** Numbers that the model holds. */
struct petite_integers {
	/** [count]; NULL where count is 0. */
	const int64_t *items;
	int32_t count;
};

/** What an argument is, and which member of its union holds it. */
enum petite_argument_kind {
	/** None, for an optional argument: no member. */
	PETITE_ARGUMENT_NONE = 0,
	/** as.tensor */
	PETITE_ARGUMENT_TENSOR = 1,
	/** as.integer; element types and memory formats are integers too. */
	PETITE_ARGUMENT_INTEGER = 2,
	/** as.integer: 0 or 1 */
	PETITE_ARGUMENT_BOOLEAN = 3,
	/** as.real */
	PETITE_ARGUMENT_REAL = 4,
	/** as.integers */
	PETITE_ARGUMENT_INTEGERS = 5,
};

/** One argument of a call. */
struct petite_argument {
	union {
		struct petite_tensor tensor;
		int64_t integer;
		double real;
		struct petite_integers integers;
	} as;
	/** An enum petite_argument_kind. */
	uint8_t kind;
};

/**
 * One call of an operator. Constant, and the same at each run: shapes, types and addresses were
 * decided when the model was compiled.
 */
struct petite_operator_call {
	/** The operator's name: one function may serve several. */
	const char *name;
	/** [argument_count] Arguments in the order of the operator's schema, without its outputs.
	 */
	const struct petite_argument *arguments;
	/** [output_count] Outputs in the order of the schema. */
	const struct petite_tensor *outputs;
	uint8_t argument_count;
	uint8_t output_count;
};

/**
 * @brief An operator: computes all elements of its outputs from its arguments.
 *
 * Called by petite_run() from within, so it must not run the same model (it would get
 * PETITE_ERR_BUSY). It must write nothing of the model but its outputs, whose contents are
 * undefined before. The contents of arguments and outputs are its own until it returns; pointers to
 * them must not be used afterwards, as other tensors will lie there. `name`, `dims` and lists
 * of integers stay valid.
 *
 * The compiler knows no operator's schema: whoever is in doubt whether model and function fit
 * checks counts, kinds, types and shapes here.
 *
 * An operator whose outputs nobody reads is not called.
 *
 * @retval PETITE_OK           The outputs are written.
 * @retval PETITE_ERR_OPERATOR It could not; petite_run() ends and returns this.
 */
typedef enum petite_status (*petite_operator)(const struct petite_operator_call *call);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_OPERATOR_H */
