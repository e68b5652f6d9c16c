# SPDX-License-Identifier: Apache-2.0
"""Where a model's buffers lie, and the check that they may lie there."""
