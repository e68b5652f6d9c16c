/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings that compiled kernels may lack. Never executed. */
	.syntax unified
	.thumb
	.text
	.balign 4
	ldr r0, [pc, #4]
	ldr r0, [r1, r2]
	ldrb r0, [r1, r2]
	ldrsh r0, [r1, r2]
	ldrsb r0, [r1, r2]
	strh r0, [r1, r2]
	str r0, [r1, r2]
	strb r0, [r1, #3]
	ldrh r0, [r1, #6]
	str r0, [sp, #8]
	ldr r0, [sp, #8]
	add r0, sp, #8
	adr r0, 1f
	push {r0, r4, lr}
	pop {r0, r4, pc}
	stmia r0!, {r1, r2}
	ldmia r0!, {r1, r2, r3}
	stmdb r0!, {r1, r2, r8}
	ldmdb r0!, {r1, r2, r8, r9}
	ldrd r0, r1, [r2, #8]
	strd r0, r1, [r2], #8
	ldrex r0, [r1]
	strex r0, r2, [r1]
	lda r0, [r1]
	stl r0, [r1]
	ldr.w r0, [r1, #-4]!
	ldrsb.w r0, [r1, r2, lsl #2]
	str.w r0, [r1], #4
	clrm {r0, r1, r2}
	tbb [pc, r0]
	tbh [pc, r0, lsl #1]
1:
	sdiv r0, r1, r2
	udiv r0, r1, r2
	smull r0, r1, r2, r3
	smlad r0, r1, r2, r3
	mul r0, r1
	ubfx r0, r1, #2, #3
	bx lr
	blx r3
	bl 1b
	b.w 1b
	b.n 1b
	beq.n 1b
	bne.w 1b
	cbz r0, 2f
	cbnz r0, 2f
2:
	it eq
	moveq r0, #1
	nop
	nop.w
	dsb
	svc #0
	udf #1
	mrs r0, primask
	msr primask, r0
	wls lr, r0, 3f
	dls lr, r0
	dlstp.16 lr, r0
	wlstp.8 lr, r0, 3f
	vctp.32 r0
4:
	le lr, 4b
	le 4b
	letp lr, 4b
	lctp
3:
	csel r0, r1, r2, eq
	lsll r0, r1, #3
	sqrshrl r0, r1, #64, r2
	vldr s0, [r0, #4]
	vldr d1, [r0]
	vstr s0, [r0]
	vpush {s0-s4}
	vpop {d8-d10}
	vldmia r0!, {s0-s2}
	vstmdb r0!, {d0-d1}
	vadd.f32 s0, s1, s2
	vdiv.f32 s0, s1, s2
	vsqrt.f32 s0, s1
	vfma.f32 s0, s1, s2
	vmul.f64 d0, d1, d2
	vcvt.s32.f32 s0, s1
	vcmp.f32 s0, s1
	vmrs APSR_nzcv, fpscr
	vmsr p0, r0
	vmov s0, r0
	vmov r0, r1, d0
	vmov r0, r1, q0[2], q0[0]
	vmov q0[3], q0[1], r0, r1
	vmov.32 r0, q1[2]
	vmov.8 q1[5], r0
	vmov.s16 r0, q1[5]
	vseleq.f32 s0, s1, s2
	vmaxnm.f32 s0, s1, s2
	vrinta.f32 s0, s1
	vdup.8 q0, r0
	vdup.32 q0, r0
	vldrb.u8 q0, [r0]
	vldrb.s16 q0, [r0], #8
	vldrb.u32 q0, [r0, #4]!
	vldrh.s32 q1, [r2, #-16]
	vldrw.u32 q7, [r0], #-16
	vstrb.8 q0, [r0], #16
	vstrb.32 q0, [r0, #8]
	vstrh.32 q1, [r2], #4
	vstrw.32 q0, [r0, #16]!
	vldrb.u8 q0, [r0, q1]
	vldrb.s16 q0, [r0, q1]
	vldrb.u32 q0, [r0, q1]
	vldrh.u16 q0, [r0, q1, uxtw #1]
	vldrw.u32 q0, [r0, q1, uxtw #2]
	vldrd.u64 q0, [r0, q1]
	vldrw.u32 q0, [q1, #8]
	vldrw.u32 q0, [q1, #-8]!
	vldrd.u64 q0, [q1, #16]
	vstrb.8 q0, [r0, q1]
	vstrw.32 q0, [r0, q1]
	vstrw.32 q0, [q1, #8]
	vstrd.64 q0, [q1, #8]!
	vld20.8 {q0, q1}, [r0]
	vld21.16 {q0, q1}, [r0]!
	vld42.32 {q0, q1, q2, q3}, [r0]
	vst20.8 {q0, q1}, [r0]
	vst43.8 {q0, q1, q2, q3}, [r0]!
	vmladava.s8 r0, q1, q2
	vmlaldava.s16 r0, r1, q2, q3
	vrmlaldavha.s32 r0, r1, q2, q3
	vaddv.s32 r0, q1
	vaddlva.s32 r0, r1, q1
	vabav.u8 r0, q1, q2
	vminv.s8 r0, q1
	vadd.i32 q0, q1, q2
	vadd.i32 q0, q1, r2
	vmul.i16 q0, q1, q2
	vmla.s16 q0, q1, r2
	vmullb.s8 q0, q1, q2
	vqrdmulh.s32 q0, q1, q2
	vqdmulh.s32 q0, q1, r2
	vqrdmlah.s16 q0, q1, r2
	vrshl.s32 q0, q1, q2
	vrshl.s32 q0, r2
	vshr.s32 q0, q1, #3
	vshllb.s8 q0, q1, #2
	vmovlb.s8 q0, q1
	vmovnt.i16 q0, q1
	vqmovnb.s32 q0, q1
	vqrshrnb.s32 q0, q1, #4
	vmov.i32 q0, #1
	vmvn q0, q1
	vand q0, q1, q2
	vpsel q0, q1, q2
	vcmp.s8 lt, q0, q1
	vpnot
	vpst
	vaddt.i8 q0, q1, q2
	vptt.s8 gt, q0, r1
	vmaxt.s8 q0, q1, q2
	vmint.s8 q0, q1, q2
	vfma.f32 q0, q1, q2
	vcvt.f32.s32 q0, q1
	vcmul.f32 q0, q1, q2, #90
	vrev32.8 q0, q1
	vidup.u8 q0, r0, #1
	vadc.i32 q0, q1, q2
	vbrsr.16 q0, q1, r2
