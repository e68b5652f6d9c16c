# SPDX-License-Identifier: Apache-2.0
"""Operators of programs that the device loads: which there are, and tables of them in C."""
