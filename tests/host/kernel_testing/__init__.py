# SPDX-License-Identifier: Apache-2.0
"""What the tests of the kernels share: how to call them, what they have to compute, on what."""
