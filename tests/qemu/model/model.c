/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model written by hand, to test the runner: each method is one kernel whose behaviour is known.
 */
#include "model.h"

#include <stddef.h>

#define LENGTH 16
#define ARENA_SIZE 64
#define LOOPS 1000
#define STACK_BYTES 1024

/* The tests enlarge these beyond the memories. */
#ifndef CONSTANT_BYTES
#define CONSTANT_BYTES 256
#endif
#ifndef ARENA_BYTES
#define ARENA_BYTES 256
#endif

__attribute__((section(".rodata.petite.table"),
	       aligned(16))) static const int8_t table[CONSTANT_BYTES] = {3, 5};
__attribute__((section(".bss.petite.arena"), aligned(16))) static uint8_t arena[ARENA_BYTES];

/* output[i] = input[i] + table[i % 2], and the state counts calls into output[0]. */
static enum petite_status add_table(const void *params)
{
	const int8_t *input = (const int8_t *)arena;
	int8_t *output = (int8_t *)(arena + 16);
	int8_t *calls = (int8_t *)(arena + 32);

	(void)params;
	*calls += 1;
	for (size_t i = 0; i < LENGTH; i++) {
		output[i] = (int8_t)(input[i] + table[i % 2]);
	}
	output[0] = (int8_t)(output[0] + *calls);
	return PETITE_OK;
}

/* Executes 2 * LOOPS instructions more than the empty kernel: the loop's; the mov is one more. */
static enum petite_status count(const void *params)
{
	(void)params;
#ifdef __arm__
	uint32_t left = LOOPS;

	__asm__ volatile(".syntax unified\n"
			 "1:\n\t"
			 "subs %0, %0, #1\n\t"
			 "bne 1b\n"
			 : "+l"(left)
			 :
			 : "cc");
#endif
	return PETITE_OK;
}

static enum petite_status nothing(const void *params)
{
	(void)params;
	return PETITE_OK;
}

/* Uses at least STACK_BYTES of stack. */
static enum petite_status use_stack(const void *params)
{
	volatile uint8_t space[STACK_BYTES];

	(void)params;
	for (size_t i = 0; i < STACK_BYTES; i++) {
		space[i] = 1;
	}
	return space[0] == 1 ? PETITE_OK : PETITE_ERR_KERNEL;
}

static enum petite_status refuse(const void *params)
{
	(void)params;
	return PETITE_ERR_KERNEL;
}

/* Executes an instruction that no core has. */
static enum petite_status fault(const void *params)
{
	(void)params;
	__builtin_trap();
}

static enum petite_status hang(const void *params)
{
	(void)params;
	for (volatile int forever = 1; forever;) {
	}
	return PETITE_OK;
}

/* Writes one byte behind the arena: only a sanitizer notices. */
static enum petite_status overrun(const void *params)
{
	static volatile size_t beyond = ARENA_BYTES;
	uint8_t *volatile start = arena;

	(void)params;
	start[beyond] = 1;
	return PETITE_OK;
}

/* Writes below the stack, downwards: an overflow as recursion would cause it. */
static enum petite_status overflow_stack(const void *params)
{
	(void)params;
#ifdef __arm__
	__asm__ volatile("1:\n\t"
			 "push {r0-r7}\n\t"
			 "b 1b" ::
				 : "memory");
#endif
	return PETITE_OK;
}

/* Three low-overhead loops of 100 rounds: one for each form of the loop end. */
static enum petite_status loop(const void *params)
{
	(void)params;
#ifdef __ARM_FEATURE_MVE
	uint32_t rounds = 100;
	uint32_t bytes = 100 * 16;

	__asm__ volatile("dls lr, %0\n"
			 "1:\n\t"
			 "nop\n\t"
			 "le lr, 1b\n"
			 "2:\n\t"
			 "subs %0, %0, #1\n\t"
			 "beq 3f\n\t"
			 "le 2b\n"
			 "3:\n\t"
			 "dlstp.8 lr, %1\n"
			 "4:\n\t"
			 "nop\n\t"
			 "letp lr, 4b\n"
			 : "+r"(rounds)
			 : "r"(bytes)
			 : "lr", "cc");
#endif
	return PETITE_OK;
}

/*
 * A loop of 100 rounds, in which loads and multiplications alternate (`classes`) or do not
 * (`classes_in_turn`), between a known number of others.
 */
#ifdef __ARM_FEATURE_MVE
#define CLASSES(body)                                                                              \
	uint32_t total = 0;                                                                        \
	uint32_t rounds = 100;                                                                     \
                                                                                                   \
	__asm__ volatile("push {r4, r5}\n\t"                                                       \
			 "udiv r4, %1, %1\n\t"                                                     \
			 "vmov s4, r4\n\t"                                                         \
			 "dls lr, %1\n"                                                            \
			 "1:\n\t" body "le lr, 1b\n\t"                                             \
			 "b 2f\n\t"                                                                \
			 "nop\n"                                                                   \
			 "2:\n\t"                                                                  \
			 "vstrb.8 q0, [%2]\n\t"                                                    \
			 "pop {r4, r5}\n"                                                          \
			 : "+Te"(total), "+r"(rounds)                                              \
			 : "r"(arena)                                                              \
			 : "q0", "q1", "lr", "cc", "memory")
#else
#define CLASSES(body) ((void)0)
#endif

static enum petite_status classes(const void *params)
{
	(void)params;
	CLASSES("vldrb.8 q0, [%2]\n\t"
		"vmladava.s8 %0, q0, q0\n\t"
		"vldrb.8 q1, [%2]\n\t"
		"vmladava.s8 %0, q1, q1\n\t");
	return PETITE_OK;
}

static enum petite_status classes_in_turn(const void *params)
{
	(void)params;
	CLASSES("vldrb.8 q0, [%2]\n\t"
		"vldrb.8 q1, [%2]\n\t"
		"vmladava.s8 %0, q0, q0\n\t"
		"vmladava.s8 %0, q1, q1\n\t");
	return PETITE_OK;
}

/* Uses one instruction of each extension that the compiler was told of. */
static enum petite_status extensions(const void *params)
{
	volatile float three = 3.0F;
	uint32_t correct = three * three == 9.0F;

	(void)params;
#ifdef __ARM_FEATURE_DSP
	uint32_t sum;

	__asm__ volatile("smlad %0, %1, %1, %1" : "=r"(sum) : "r"(0x00020003));
	correct &= sum == 0x00020003 + 2 * 2 + 3 * 3;
#endif
#if __ARM_FP & 4
	uint32_t bits;

	__asm__ volatile("vmov.f32 s0, #2.0\n\t"
			 "vmul.f32 s0, s0, s0\n\t"
			 "vmov %0, s0"
			 : "=r"(bits)
			 :
			 : "s0");
	correct &= bits == 0x40800000; /* 4.0 */
#endif
#ifdef __ARM_FEATURE_MVE
	uint32_t total = 0;

	__asm__ volatile("vmov.i8 q0, #3\n\t"
			 "vmladava.s8 %0, q0, q0"
			 : "+Te"(total)
			 :
			 : "q0");
	correct &= total == 16 * 9;
#endif
	return correct ? PETITE_OK : PETITE_ERR_KERNEL;
}

static const struct petite_buffer inputs[] = {{arena, LENGTH, PETITE_S8}};
static const struct petite_buffer outputs[] = {{arena + 16, LENGTH, PETITE_S8}};
static const struct petite_state states[] = {{arena + 32, NULL, 1}};
static struct petite_context context;

#define METHOD(kernel)                                                                             \
	static const struct petite_step kernel##_steps[] = {{kernel, NULL}};                       \
	static const struct petite_plan kernel##_plan = {                                          \
		.abi = PETITE_ABI,                                                                 \
		.step_count = 1,                                                                   \
		.input_count = 1,                                                                  \
		.output_count = 1,                                                                 \
		.state_count = 1,                                                                  \
		.steps = kernel##_steps,                                                           \
		.inputs = inputs,                                                                  \
		.outputs = outputs,                                                                \
		.states = states,                                                                  \
		.context = &context,                                                               \
		.busy = &context.busy,                                                             \
	}

METHOD(add_table);
METHOD(nothing);
METHOD(count);
METHOD(use_stack);
METHOD(refuse);
METHOD(fault);
METHOD(hang);
METHOD(overrun);
METHOD(overflow_stack);
METHOD(loop);
METHOD(extensions);
METHOD(classes);
METHOD(classes_in_turn);

const struct petite_plan *const model_plans[] = {
	&add_table_plan,  &nothing_plan, &count_plan,           &use_stack_plan,      &refuse_plan,
	&fault_plan,      &hang_plan,    &overrun_plan,         &overflow_stack_plan, &loop_plan,
	&extensions_plan, &classes_plan, &classes_in_turn_plan,
};
const uint32_t model_plan_count = sizeof(model_plans) / sizeof(model_plans[0]);
