# SPDX-License-Identifier: Apache-2.0
"""Transformations of the graph, one a file, and the lowering to kernel calls."""
