/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Scale and zero point with which a row of float32 is quantised, from its extremes.
 *
 * For each row: low = min(row, 0), high = max(row, 0), steps = quant_max - quant_min. In double
 *
 *     scale = (high - low) / steps
 *
 * or 0.1 where its float32 is 0, or the reciprocal of that is infinite. A scale below 6.1e-5f
 * becomes that; low and high then follow (in float32): where one is 0 the other spans all steps of
 * the new scale, else both are multiplied by 6.1e-5f / scale. The zero point is, in double,
 *
 *     quant_min - low / scale     where |quant_min| - |low / scale| is less than
 *     quant_max - high / scale    where |quant_max| - |high / scale| (that is, else)
 *
 * limited to quant_min and quant_max, then rounded to float32, then to the nearest integer, ties to
 * even. This is what ExecuTorch's operator computes.
 *
 * petite_choose_scale_f32_scalar() writes float32 scales, and
 * petite_choose_zero_point_f32_s64_scalar() int64 zero points, one a row. Both fail with
 * PETITE_ERR_DATA where the scale is not finite, which an infinite or undefined input makes it.
 *
 * Ranges: quant_min < quant_max, steps below 2^31; columns at least 1.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_CHOOSE_QPARAMS_H
#define PETITE_KERNELS_CHOOSE_QPARAMS_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_choose_qparams {
	/** float [rows][columns] */
	const void *input;
	/** [rows] */
	void *output;
	int32_t rows;
	int32_t columns;
	int32_t quant_min;
	int32_t quant_max;
};

enum petite_status petite_choose_scale_f32_scalar(const void *params);
enum petite_status petite_choose_zero_point_f32_s64_scalar(const void *params);

#endif /* PETITE_KERNELS_CHOOSE_QPARAMS_H */
