# SPDX-License-Identifier: Apache-2.0
"""The one error that users of the package see."""

from __future__ import annotations


class PetiteError(Exception):
    """Bad input or a model that cannot be built.

    The message is one line that says what is wrong, where (file, operator, tensor, byte), and
    what to do about it. The command line prints it and exits with status 1.
    """
