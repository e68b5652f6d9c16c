# SPDX-License-Identifier: Apache-2.0
"""Figures from linked firmware. Stands alone."""
