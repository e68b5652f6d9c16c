/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of how many cycles a Cortex-M55 takes. It is no measurement: it knows one instruction
 * after the other in program order, and neither memory that makes the core wait, nor results that
 * an instruction waits for, nor pairs of 16-bit instructions that start together.
 *
 *  - An instruction starts one cycle after the one before it.
 *  - Helium is 64 bits wide, so a vector instruction keeps its unit busy for two cycles: loads and
 *    stores one unit, everything else the other. One that finds its unit busy waits. Therefore a
 *    load and an arithmetic instruction that alternate overlap, and two loads do not. (The core has
 *    two units for arithmetic. The model has one, and is too slow where they alternate.)
 *  - A gather or scatter keeps its unit busy for a cycle an element.
 *  - The end of a low-overhead loop is free. Any other change of the flow costs TAKEN_CYCLES more.
 *  - A load or store of several registers takes a cycle each; divisions and double precision have
 *    a fixed cost, which in fact depends on the operands.
 */
#ifndef CYCLE_MODEL_H
#define CYCLE_MODEL_H

#include "instruction_class.h"

enum { TAKEN_CYCLES = 2, DIVIDE_CYCLES = 6, SLOW_FLOAT_CYCLES = 16, BEATS_OF_A_VECTOR = 2 };

/* When things can start, in cycles from the start of the block. */
struct pipeline {
	uint32_t next;
	uint32_t memory_unit;
	uint32_t arithmetic_unit;
};

static inline void start_vector(struct pipeline *pipeline, uint32_t *unit, uint32_t busy)
{
	if (*unit > pipeline->next) {
		pipeline->next = *unit;
	}
	*unit = pipeline->next + busy;
	pipeline->next++;
}

static inline void advance(struct pipeline *pipeline, struct instruction instruction)
{
	const uint32_t transfers = instruction.transfers;

	switch (instruction.class) {
	case CLASS_LOOP_END:
		break;
	case CLASS_HELIUM_LOAD:
	case CLASS_HELIUM_STORE:
		start_vector(pipeline, &pipeline->memory_unit,
			     transfers > BEATS_OF_A_VECTOR ? transfers : BEATS_OF_A_VECTOR);
		break;
	case CLASS_HELIUM:
		start_vector(pipeline, &pipeline->arithmetic_unit, BEATS_OF_A_VECTOR);
		break;
	case CLASS_DIVIDE:
		pipeline->next += DIVIDE_CYCLES;
		break;
	case CLASS_FLOAT:
		pipeline->next += instruction.is_slow_float ? SLOW_FLOAT_CYCLES : 1;
		break;
	default:
		pipeline->next += transfers;
		break;
	}
}

/*
 * Cycles of a block of code, as if it followed itself. That is exact for the body of a loop, and
 * for other blocks wrong by what their neighbours leave busy, a cycle or so.
 */
static inline uint32_t block_cycles(const struct instruction *instructions, size_t count)
{
	struct pipeline pipeline = {0, 0, 0};
	uint32_t once = 0;

	for (int round = 0; round < 2; round++) {
		once = pipeline.next;
		for (size_t i = 0; i < count; i++) {
			advance(&pipeline, instructions[i]);
		}
	}
	return pipeline.next - once;
}

#endif
