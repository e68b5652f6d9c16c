# SPDX-License-Identifier: Apache-2.0
"""What a program file holds, and what of it a device needs."""

from petite.inspect.facts import ProgramFacts, inspect_program

__all__ = ["ProgramFacts", "inspect_program"]
