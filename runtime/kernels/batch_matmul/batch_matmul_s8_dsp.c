/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __ARM_FEATURE_DSP

#include <string.h>

#include "../common/limit_s8_dsp.h"
#include "../common/requantize_s8_dsp.h"
#include "../common/widen_s8_dsp.h"
#include "batch_matmul_s8_dsp.h"

/** Elements of a row that are multiplied at a turn. */
#define BLOCK 4

/** Two rows. */
struct rows {
	/** Of each block: the even elements of both rows, then the odd ones. */
	const int32_t *wide;
	/** Twice the sum of each row times the offset of rhs. */
	uint32_t start[2];
	int8_t *output[2];
};

/** Sums of both rows times a first column and a second one. */
struct sums {
	int32_t a[2];
	int32_t b[2];
};

/** A row's next block, and zeros behind its end. */
static uint32_t next_block(const int8_t *from, int32_t left)
{
	uint32_t word = 0;

	if (left >= BLOCK) {
		memcpy(&word, from, BLOCK);
	} else {
		memcpy(&word, from, (size_t)left);
	}
	return word;
}

/** Both halfwords of a pair, added to a sum. */
static int32_t add_pair(uint32_t pair, int32_t sum)
{
	__asm__("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(pair), "r"(0x00010001));
	return sum;
}

/** Widen two rows; what lies behind their ends need not be zero. */
static void widen(const struct petite_batch_matmul_s8_dsp *p, const int8_t *const from[2],
		  struct rows *rows)
{
	const uint32_t offsets = petite_both_halves_dsp(p->lhs_offset);
	uint32_t *to = (uint32_t *)(void *)p->scratch;

	for (int32_t k = 0; k < 2; k++) {
		/* Elements that are not there count as minus the offset: as nothing. */
		int32_t sum = -(-p->inner & (BLOCK - 1)) * p->lhs_offset;

		for (int32_t at = 0; at < p->inner; at += BLOCK) {
			const uint32_t word = next_block(from[k] + at, p->inner - at);
			const uint32_t even = petite_even_plus_dsp(offsets, word);
			const uint32_t odd = petite_odd_plus_dsp(offsets, word);

			to[at + k] = even;
			to[at + 2 + k] = odd;
			sum = add_pair(odd, add_pair(even, sum));
		}
		rows->start[k] = 2U * (uint32_t)p->rhs_offset * (uint32_t)sum;
	}
	rows->wide = (const int32_t *)(const void *)p->scratch;
}

/* Of four elements of both columns the even or the odd ones, times those of both rows. */
#define PAIRS(rotation)                                                                            \
	"	ldrd %[row0], %[row1], [%[wide]], #8\n"                                                  \
	"	sxtb16 %[pair], %[word0]" rotation "\n"                                            \
	"	smlad %[a0], %[row0], %[pair], %[a0]\n"                                                  \
	"	smlad %[a1], %[row1], %[pair], %[a1]\n"                                                  \
	"	sxtb16 %[pair], %[word1]" rotation "\n"                                            \
	"	smlad %[b0], %[row0], %[pair], %[b0]\n"                                                  \
	"	smlad %[b1], %[row1], %[pair], %[b1]\n"

/* The end is in memory: without optimisation, compilers have no register for it. */
#define END                                                                                        \
	"	ldr %[pair], %[end]\n"                                                                   \
	"	cmp %[first], %[pair]\n"                                                                 \
	"	bne 1b\n"

/** Add whole blocks of two rows and two columns. */
static inline void multiply(const int32_t *wide, const int8_t *first, const int8_t *second,
			    int32_t count, struct sums *sums)
{
	const int8_t *const end = first + count;
	int32_t a0 = sums->a[0];
	int32_t a1 = sums->a[1];
	int32_t b0 = sums->b[0];
	int32_t b1 = sums->b[1];
	uint32_t word0;
	uint32_t word1;
	uint32_t pair;
	uint32_t row0;
	uint32_t row1;

	__asm__ volatile(
		"1:	ldr %[word0], [%[first]], #4\n"
		"	ldr %[word1], [%[second]], #4\n" PAIRS("") PAIRS(", ror #8") END
		: [wide] "+&r"(wide), [first] "+&r"(first), [second] "+&r"(second), [a0] "+&r"(a0),
		  [a1] "+&r"(a1), [b0] "+&r"(b0), [b1] "+&r"(b1), [word0] "=&r"(word0),
		  [word1] "=&r"(word1), [pair] "=&r"(pair), [row0] "=&r"(row0), [row1] "=&r"(row1)
		: [end] "m"(end)
		: "cc", "memory");
	sums->a[0] = a0;
	sums->a[1] = a1;
	sums->b[0] = b0;
	sums->b[1] = b1;
}

/** Sums of two rows and two columns. */
static struct sums multiply_all(const struct petite_batch_matmul_s8_dsp *p, const struct rows *rows,
				const int8_t *first, const int8_t *second)
{
	const int32_t whole = p->inner & ~(BLOCK - 1);
	struct sums sums = {.a = {0}};

	if (whole > 0) {
		multiply(rows->wide, first, second, whole, &sums);
	}
	if (whole < p->inner) {
		int8_t last[2][BLOCK] = {0};

		memcpy(last[0], first + whole, (size_t)(p->inner - whole));
		memcpy(last[1], second + whole, (size_t)(p->inner - whole));
		multiply(rows->wide + whole, last[0], last[1], BLOCK, &sums);
	}
	return sums;
}

static int8_t output_of(const struct petite_scale_dsp *scale, int32_t sum, uint32_t start)
{
	return petite_requantize_s8_dsp((int32_t)(2U * (uint32_t)sum + start), scale);
}

/** All columns of two rows. */
static void write_rows(const struct petite_batch_matmul_s8_dsp *p,
		       const struct petite_scale_dsp *scale, const struct rows *rows,
		       const int8_t *rhs)
{
	int8_t *upper = rows->output[0];
	int8_t *lower = rows->output[1];

	for (int32_t left = p->columns; left > 0; left -= 2) {
		/* The last of an odd number is computed twice. */
		const int8_t *const second = left > 1 ? rhs + p->inner : rhs;
		const struct sums sums = multiply_all(p, rows, rhs, second);

		*upper++ = output_of(scale, sums.a[0], rows->start[0]);
		*lower++ = output_of(scale, sums.a[1], rows->start[1]);
		if (left > 1) {
			*upper++ = output_of(scale, sums.b[0], rows->start[0]);
			*lower++ = output_of(scale, sums.b[1], rows->start[1]);
		}
		rhs += 2 * p->inner;
	}
	for (int32_t k = 0; k < 2; k++) {
		petite_limit_s8_dsp(rows->output[k], p->columns, p->activation_min,
				    p->activation_max);
	}
}

enum petite_status petite_batch_matmul_s8_dsp(const void *params)
{
	const struct petite_batch_matmul_s8_dsp *p = params;
	const struct petite_scale_dsp scale =
		petite_scale_dsp_of(p->multiplier, p->shift, p->output_offset);
	const int8_t *lhs = p->lhs;
	const int8_t *matrix = p->rhs;
	int8_t *output = p->output;

	for (int32_t b = 0; b < p->batches; b++) {
		for (int32_t left = p->rows; left > 0; left -= 2) {
			/* The last of an odd number is computed twice. */
			const int32_t count = left > 1 ? 2 : 1;
			const int8_t *const from[2] = {lhs, lhs + (count - 1) * p->inner};
			struct rows rows = {.output = {output, output + (count - 1) * p->columns}};

			widen(p, from, &rows);
			write_rows(p, &scale, &rows, matrix);
			lhs += count * p->inner;
			output += count * p->columns;
		}
		matrix += p->columns * p->inner;
	}
	return PETITE_OK;
}

#endif
