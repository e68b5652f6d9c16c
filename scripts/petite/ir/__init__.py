# SPDX-License-Identifier: Apache-2.0
"""Values, operators and schedules: what the passes, placement and code generation share."""
