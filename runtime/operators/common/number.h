/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Numbers of a call in the element type that the operator computes in.
 */
#ifndef PETITE_OPERATORS_COMMON_NUMBER_H
#define PETITE_OPERATORS_COMMON_NUMBER_H

#include <stdint.h>

#include <petite/prepare.h>

/**
 * @brief An argument's bytes, as an element.
 *
 * @param call  Fails where the number has a fraction and the type has none, or it does not fit.
 * @param bytes [8] The first are set.
 */
void petite_call_number_bytes(struct petite_call *call, uint32_t position, uint8_t dtype,
			      uint8_t *bytes);

/** The bytes of a float32, or of an integer that fits the type. */
void petite_call_float_bytes(float value, uint8_t *bytes);
void petite_call_long_bytes(struct petite_call *call, int64_t value, uint8_t dtype, uint8_t *bytes);

/** A tensor of one element, without dimensions, kept in memory for structures. */
void petite_call_element(struct petite_call *call, uint8_t dtype, const uint8_t *bytes,
			 struct petite_load_tensor *tensor);

/** The same for an argument. */
void petite_call_number_tensor(struct petite_call *call, uint32_t position, uint8_t dtype,
			       struct petite_load_tensor *tensor);

/** An argument as float32, rounded; it may be infinite. */
float petite_call_float(struct petite_call *call, uint32_t position);

#endif /* PETITE_OPERATORS_COMMON_NUMBER_H */
