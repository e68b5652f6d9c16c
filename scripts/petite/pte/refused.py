# SPDX-License-Identifier: Apache-2.0
"""Operators of ExecuTorch that are refused for good: why, and what to write instead."""

from __future__ import annotations

_DYNAMIC = "is known only when the model runs, and shapes are fixed"
_TRAINING = "it belongs to training, and models are only run here; export the model in eval()"
_RANDOM = (
    "a model gives the same outputs for the same inputs, on every core; let the application "
    "draw the random numbers, and pass them as an input"
)
_COMPLEX = (
    "there are no complex numbers here; compute real and imaginary parts in the model, for "
    "example as a matrix product with a constant of sines and cosines"
)
_DEVICES = "there is one memory, in which the core computes; export without a second device"

REFUSED: dict[str, str] = {
    "aten::nonzero.out": f"how many elements are not zero {_DYNAMIC}; use torch.where with three "
    "arguments, or topk of the mask",
    "aten::masked_select.out": f"how many elements the mask marks {_DYNAMIC}; use torch.where with "
    "three arguments, or multiply by the mask",
    "aten::rand.out": _RANDOM,
    "aten::randn.out": _RANDOM,
    "aten::convolution_backward.out": _TRAINING,
    "aten::max_pool2d_with_indices_backward.grad_input": _TRAINING,
    "aten::_conj_physical.out": _COMPLEX,
    "aten::_fft_c2r.out": _COMPLEX,
    "aten::_fft_r2c.out": _COMPLEX,
    "aten::view_as_real_copy.out": _COMPLEX,
    "et_copy::_d2h_copy.out": _DEVICES,
    "et_copy::_h2d_copy.out": _DEVICES,
}
