# SPDX-License-Identifier: Apache-2.0
"""Petite: PyTorch models, exported by ExecuTorch, compiled to C for microcontrollers."""

__version__ = "0.1.0"
