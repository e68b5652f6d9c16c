/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What turns one call of a program's operator into steps of a plan.
 *
 * The loader knows no operator. Each has an entry in a table that the application hands over
 * (`petite select` writes it): its name, the element type that the entry is for, a function that
 * checks a call's arguments and fills the kernel's parameters, and the kernel. What no entry names
 * is not linked.
 *
 * A prepare function runs twice for each call, with the same arguments: once to check and to count
 * memory, and once to fill it. It must do the same both times, so it must not depend on addresses.
 *
 * Errors stick: after the first failure every function here does nothing and gives zero, so a
 * prepare function may take all its arguments first. It must ask petite_call_failed() before it
 * divides or loops by what it got.
 */
#ifndef PETITE_PREPARE_H
#define PETITE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include <petite/kernel.h>
#include <petite/plan.h>
#include <petite/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most dimensions of a tensor that is loaded. */
#define PETITE_LOAD_RANK 6

/** One call; belongs to the loader. */
struct petite_call;

/** Checks a call and emits its steps. Failures are told to the call. */
typedef void (*petite_prepare)(struct petite_call *call);

/** An operator for one pair of element types. */
struct petite_operator_entry {
	/** As the program has it, "cortex_m::quantized_add.out". */
	const char *name;
	petite_prepare prepare;
	/** What petite_call_kernel() gives. */
	petite_kernel kernel;
	/** Element type of the call's first tensor, an enum petite_dtype; 0 where it has none. */
	uint8_t dtype;
	/** That of its last argument, which is an output; 0 where that is no tensor. */
	uint8_t result;
};

/** Operators, ordered by name (as strcmp() has it), then by `dtype`, then by `result`. */
struct petite_operator_table {
	const struct petite_operator_entry *entries;
	/** Called for what has no entry; NULL refuses it. */
	petite_prepare fallback;
	uint16_t count;
};

/** A tensor of a program. */
struct petite_load_tensor {
	/** First element. May only be dereferenced where the tensor is constant. */
	void *data;
	/** [rank] Logical sizes, as PyTorch sees them, each at least 0. */
	int32_t sizes[PETITE_LOAD_RANK];
	/** [rank] Dimensions from the outermost to the innermost in memory. Dense. */
	uint8_t order[PETITE_LOAD_RANK];
	/** Elements. */
	int32_t count;
	uint8_t rank;
	/** An enum petite_dtype. */
	uint8_t dtype;
	/** Whether its contents are in the program. */
	bool is_constant;
};

/** Whether a tensor's dimensions lie in memory in their own order; those of size one may be
 * anywhere.
 */
bool petite_is_contiguous(const struct petite_load_tensor *tensor);

/** Whether something went wrong with this call. */
bool petite_call_failed(const struct petite_call *call);

/** Refuse the call as not supported, unless the condition holds. */
void petite_call_require(struct petite_call *call, bool condition);

/** Number of arguments, those of the outputs included. */
uint32_t petite_call_argument_count(const struct petite_call *call);

/** The kernel of the entry. */
petite_kernel petite_call_kernel(const struct petite_call *call);

/** Whether an optional argument is absent. */
bool petite_call_is_none(struct petite_call *call, uint32_t position);

/** Whether an argument is a tensor; it may be a number in its place. */
bool petite_call_is_tensor(struct petite_call *call, uint32_t position);

/**
 * What an argument that is a number is to PyTorch: PETITE_BOOL, PETITE_S64, or PETITE_F32 (which
 * stands for any number that may have a fraction). 0 for one that is no number.
 */
uint8_t petite_call_number_type(struct petite_call *call, uint32_t position);

/** Elements of an argument that is a list of tensors. */
uint32_t petite_call_list(struct petite_call *call, uint32_t position);

/** What stands for an element of such a list wherever a position is asked for. */
static inline uint32_t petite_call_item(uint32_t position, uint32_t item)
{
	return position | (item + 1) << 16;
}

/** An integer or a bool that fits 32 bits. */
int32_t petite_call_int(struct petite_call *call, uint32_t position);

/** An integer or a bool. */
int64_t petite_call_long(struct petite_call *call, uint32_t position);

/** Whether an argument is this text. */
bool petite_call_is_text(struct petite_call *call, uint32_t position, const char *text);

/** Any number, as a double. */
double petite_call_number(struct petite_call *call, uint32_t position);

/** A list of integers of 32 bits: at most `capacity` are stored. Gives how many. */
uint32_t petite_call_ints(struct petite_call *call, uint32_t position, int32_t *items,
			  uint32_t capacity);

/** A list of numbers with fractions: at most `capacity` are stored. Gives how many. */
uint32_t petite_call_doubles(struct petite_call *call, uint32_t position, double *items,
			     uint32_t capacity);

/** Look at a tensor, without saying whether it is read or written. */
void petite_call_tensor(struct petite_call *call, uint32_t position,
			struct petite_load_tensor *tensor);

/** A tensor that the call reads, of an element type (an enum petite_dtype; 0 for any). */
void petite_call_input(struct petite_call *call, uint32_t position, uint8_t dtype,
		       struct petite_load_tensor *tensor);

/**
 * The same, but its contents must be in the program. Where they are not aligned for their type,
 * they are copied when memory is filled, and `data` is not aligned while memory is counted.
 */
void petite_call_constant(struct petite_call *call, uint32_t position, uint8_t dtype,
			  struct petite_load_tensor *tensor);

/**
 * A tensor that the call writes: the one at the last position, if the operator has one output.
 * It shares no byte with an input of this call that was taken before.
 */
void petite_call_output(struct petite_call *call, uint32_t position, uint8_t dtype,
			struct petite_load_tensor *tensor);

/**
 * A tensor that the call reads and writes. It shares no byte with an input that was taken before;
 * kernels that may not overlap their output need a copy of it.
 */
void petite_call_in_place(struct petite_call *call, uint32_t position, uint8_t dtype,
			  struct petite_load_tensor *tensor);

/**
 * Set a number, PETITE_S64 or PETITE_BOOL as petite_call_number_type() has it, for the calls that
 * follow: loops count while a program is loaded, and are unrolled. It must fit 32 bits.
 */
void petite_call_set_number(struct petite_call *call, uint32_t position, uint8_t type,
			    int64_t number);

/**
 * A tensor that the call writes the last of so many rows of. Its sizes are those of the whole;
 * before that has all rows it cannot be read.
 */
void petite_call_grown(struct petite_call *call, uint32_t position, uint8_t dtype, int32_t rows,
		       struct petite_load_tensor *tensor);

/**
 * Memory for what a kernel needs and the program does not have, aligned to 8 bytes. NULL where
 * memory is only counted: then there is nothing to fill.
 */
void *petite_call_reserve(struct petite_call *call, uint32_t size);

/** Memory that is the kernel's while it runs, aligned to 16 bytes. Not to be dereferenced. */
void *petite_call_scratch(struct petite_call *call, uint32_t size);

/** Append a step; its parameters are copied. */
void petite_call_step(struct petite_call *call, petite_kernel kernel, const void *params,
		      uint32_t size);

/**
 * The fallback that looks for operators of the application in the program's registry (registry.h).
 *
 * A file has no schemas, so what is an output follows from how ExecuTorch writes an operator's
 * `out` variant: all arguments, then the outputs, then the result, which is the outputs once more.
 */
void petite_prepare_application(struct petite_call *call);

#ifdef __cplusplus
}
#endif

#endif /* PETITE_PREPARE_H */
