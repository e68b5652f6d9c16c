/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kind of instruction the bytes of a Thumb instruction are, by the encodings of the Armv8-M
 * Architecture Reference Manual. `first` and `second` are its halfwords; `second` is 0 in an
 * instruction of one halfword. Hints that an M-profile core may take as loads count as loads.
 */
#ifndef INSTRUCTION_CLASS_H
#define INSTRUCTION_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* The order in which the counter writes them. Each instruction has exactly one. */
enum instruction_class {
	CLASS_SCALAR, /* integer arithmetic, moves, comparisons, system */
	CLASS_LOAD,   /* one or several core or float registers */
	CLASS_STORE,
	CLASS_DIVIDE,   /* of integers */
	CLASS_BRANCH,   /* also calls, returns by BX, and what enters a low-overhead loop */
	CLASS_LOOP_END, /* LE and LETP */
	CLASS_FLOAT,    /* scalar float, and moves between core registers and lanes */
	CLASS_HELIUM_LOAD,
	CLASS_HELIUM_STORE,
	CLASS_HELIUM, /* vector arithmetic, logic, moves, predicates */
	CLASS_COUNT,
};

struct instruction {
	enum instruction_class class;
	/* Registers, or elements of a gather or scatter, that a load or store moves one by one. */
	uint32_t transfers;
	/* Scalar float: divisions and square roots, and all arithmetic in double precision. */
	bool is_slow_float;
};

static inline uint32_t ones(uint32_t value)
{
	uint32_t count = 0;

	for (; value != 0; value &= value - 1) {
		count++;
	}
	return count;
}

static inline struct instruction instruction_of(enum instruction_class class)
{
	return (struct instruction){.class = class, .transfers = 1, .is_slow_float = false};
}

static inline struct instruction move_of(bool is_load, uint32_t transfers)
{
	return (struct instruction){.class = is_load ? CLASS_LOAD : CLASS_STORE,
				    .transfers = transfers,
				    .is_slow_float = false};
}

static inline struct instruction classify_narrow(uint32_t code)
{
	const bool load_bit = (code >> 11) & 1;

	if ((code & 0xf800) == 0x4800) { /* literal */
		return move_of(true, 1);
	}
	if ((code & 0xf000) == 0x5000) { /* register offset: STR, STRH, STRB, then loads */
		return move_of(((code >> 9) & 7) >= 3, 1);
	}
	if (code >= 0x6000 && code < 0xa000) { /* immediate offset, and relative to SP */
		return move_of(load_bit, 1);
	}
	if ((code & 0xf600) == 0xb400) { /* PUSH, POP; bit 8 is LR or PC */
		return move_of(load_bit, ones(code & 0x1ff));
	}
	if ((code & 0xf000) == 0xc000) { /* STM, LDM */
		return move_of(load_bit, ones(code & 0xff));
	}
	if ((code & 0xff00) == 0x4700 || (code & 0xf500) == 0xb100 || (code & 0xf800) == 0xe000 ||
	    ((code & 0xf000) == 0xd000 && (code & 0x0e00) != 0x0e00)) {
		return instruction_of(CLASS_BRANCH); /* BX and BLX, CBZ, B, B<cond> */
	}
	return instruction_of(CLASS_SCALAR);
}

/* Vector loads and stores, and moves of two lanes: 111x 110x, coprocessors 14 and 15. */
static inline struct instruction classify_helium_memory(uint32_t first, uint32_t second)
{
	const bool is_load = (first >> 4) & 1;
	struct instruction found = instruction_of(is_load ? CLASS_HELIUM_LOAD : CLASS_HELIUM_STORE);

	if ((first & 0x01a0) == 0) { /* no way to form an address: VMOV of two lanes */
		return instruction_of(CLASS_FLOAT);
	}
	if ((first & 0x1120) == 0x0000 || (first & 0x1120) == 0x1000) {
		/* P = W = 0: offsets in a vector; or VLD2, VLD4 and their stores, of 16 bytes. */
		if ((second & 0x1000) == 0) {
			found.transfers = 16u >> ((second >> 7) & 3);
		}
	} else if ((first & 0x1100) == 0x1100 && (second & 0x1e00) == 0x1e00) {
		/* Addresses in a vector. */
		found.transfers = (second & 0x0100) != 0 ? 2 : 4;
	}
	return found;
}

/* Scalar float, 111x 11xx, coprocessors 8 to 11. */
static inline struct instruction classify_float(uint32_t first, uint32_t second)
{
	const bool is_memory = (first & 0xfe00) == 0xec00 && (first & 0x01a0) != 0;
	struct instruction found = instruction_of(CLASS_FLOAT);

	if (is_memory) {
		const bool is_multiple = (first & 0x0120) != 0x0100; /* else VLDR, VSTR */

		return move_of((first >> 4) & 1, is_multiple ? second & 0xff : 1);
	}
	if ((first & 0xff90) == 0xee80 && (second & 0x0f5f) == 0x0b10) { /* VDUP */
		return instruction_of(CLASS_HELIUM);
	}
	if ((second & 0x0010) == 0 && (first & 0xef00) == 0xee00) { /* arithmetic, no transfer */
		found.is_slow_float = (second & 0x0f00) == 0x0b00 ||
				      ((first & 0xffb0) == 0xee80 && (second & 0x0040) == 0) ||
				      ((first & 0xffbf) == 0xeeb1 && (second & 0x00c0) == 0x00c0);
	}
	return found;
}

/* 111x 11xx: the space of coprocessors, which holds float and Helium. */
static inline struct instruction classify_coprocessor(uint32_t first, uint32_t second)
{
	if ((first & 0x0f00) == 0x0f00) {
		return instruction_of(CLASS_HELIUM);
	}
	if ((second & 0x0c00) == 0x0800) {
		return classify_float(first, second);
	}
	if ((second & 0x0e00) != 0x0e00) {
		return instruction_of(CLASS_SCALAR); /* another coprocessor */
	}
	if ((first & 0x0e00) == 0x0c00) {
		return classify_helium_memory(first, second);
	}
	return instruction_of(CLASS_HELIUM);
}

/* 1111 0xxx, second halfword 1xxx: branches, low-overhead loops, and the system's instructions. */
static inline struct instruction classify_control(uint32_t first, uint32_t second)
{
	if ((first & 0xffcf) == 0xf00f && (first & 0x0030) != 0x0030 &&
	    (second & 0xf001) == 0xc001) {
		return instruction_of(CLASS_LOOP_END);
	}
	if ((second & 0xd001) ==
	    0xc001) { /* WLS is a branch, DLS and LCTP are not, VCTP is a vector's */
		if ((second & 0x2000) == 0) {
			return instruction_of(CLASS_BRANCH);
		}
		return instruction_of(second == 0xe801 ? CLASS_HELIUM : CLASS_SCALAR);
	}
	if ((second & 0x1000) != 0 || (first & 0x0380) != 0x0380) {
		return instruction_of(CLASS_BRANCH); /* B, BL, B<cond> */
	}
	return instruction_of(CLASS_SCALAR);
}

static inline struct instruction classify_wide(uint32_t first, uint32_t second)
{
	if ((first & 0xec00) == 0xec00) {
		return classify_coprocessor(first, second);
	}
	if ((first & 0xfe40) == 0xe800) { /* STM, LDM; LDM of PC is CLRM, which loads nothing */
		return (first & 0xffff) == 0xe89f ? instruction_of(CLASS_SCALAR)
						  : move_of((first >> 4) & 1, ones(second));
	}
	if ((first & 0xfff0) == 0xe8d0 && (second & 0xffe0) == 0xf000) {
		return instruction_of(CLASS_BRANCH); /* TBB, TBH */
	}
	if ((first & 0xfe40) == 0xe840) { /* of two registers, exclusive, or ordered */
		const bool is_pair = (first & 0x0120) != 0;

		return move_of((first >> 4) & 1, is_pair ? 2 : 1);
	}
	if ((first & 0xfe00) == 0xf800) {
		return move_of((first >> 4) & 1, 1);
	}
	if ((first & 0xffd0) == 0xfb90 && (second & 0x00f0) == 0x00f0) {
		return instruction_of(CLASS_DIVIDE);
	}
	if ((first & 0xf800) == 0xf000 && (second & 0x8000) != 0) {
		return classify_control(first, second);
	}
	return instruction_of(CLASS_SCALAR);
}

static inline struct instruction classify(uint32_t first, uint32_t second)
{
	return (first & 0xe000) == 0xe000 && (first & 0x1800) != 0 ? classify_wide(first, second)
								   : classify_narrow(first);
}

#endif
