# SPDX-License-Identifier: Apache-2.0
"""The command line: one module a command, each with ``add`` (its options) and ``run``."""
