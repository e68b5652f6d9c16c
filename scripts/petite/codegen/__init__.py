# SPDX-License-Identifier: Apache-2.0
"""C source from schedules and placement."""
