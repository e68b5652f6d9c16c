/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "../../kernels/unary/unary.h"
#include "elementwise.h"

#define CAST(from, from_type, to) [from_type] = petite_unary_cast_##from##_##to##_scalar

petite_casts petite_casts_to_s8 = {
	CAST(s16, PETITE_S16, s8), CAST(s32, PETITE_S32, s8), CAST(s64, PETITE_S64, s8),
	CAST(u8, PETITE_U8, s8),   CAST(f32, PETITE_F32, s8), CAST(bool, PETITE_BOOL, s8),
};
petite_casts petite_casts_to_s16 = {
	CAST(s8, PETITE_S8, s16), CAST(s32, PETITE_S32, s16), CAST(s64, PETITE_S64, s16),
	CAST(u8, PETITE_U8, s16), CAST(f32, PETITE_F32, s16), CAST(bool, PETITE_BOOL, s16),
};
petite_casts petite_casts_to_s32 = {
	CAST(s8, PETITE_S8, s32), CAST(s16, PETITE_S16, s32), CAST(s64, PETITE_S64, s32),
	CAST(u8, PETITE_U8, s32), CAST(f32, PETITE_F32, s32), CAST(bool, PETITE_BOOL, s32),
};
petite_casts petite_casts_to_s64 = {
	CAST(s8, PETITE_S8, s64), CAST(s16, PETITE_S16, s64), CAST(s32, PETITE_S32, s64),
	CAST(u8, PETITE_U8, s64), CAST(f32, PETITE_F32, s64), CAST(bool, PETITE_BOOL, s64),
};
petite_casts petite_casts_to_u8 = {
	CAST(s8, PETITE_S8, u8),   CAST(s16, PETITE_S16, u8), CAST(s32, PETITE_S32, u8),
	CAST(s64, PETITE_S64, u8), CAST(f32, PETITE_F32, u8), CAST(bool, PETITE_BOOL, u8),
};
petite_casts petite_casts_to_f32 = {
	CAST(s8, PETITE_S8, f32),   CAST(s16, PETITE_S16, f32), CAST(s32, PETITE_S32, f32),
	CAST(s64, PETITE_S64, f32), CAST(u8, PETITE_U8, f32),   CAST(bool, PETITE_BOOL, f32),
};
petite_casts petite_casts_to_bool = {
	CAST(s8, PETITE_S8, bool),   CAST(s16, PETITE_S16, bool), CAST(s32, PETITE_S32, bool),
	CAST(s64, PETITE_S64, bool), CAST(u8, PETITE_U8, bool),   CAST(f32, PETITE_F32, bool),
};
