# SPDX-License-Identifier: Apache-2.0
"""Operators for programs that are loaded on the device: which there are, and tables of them in C."""
