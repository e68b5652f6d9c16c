# SPDX-License-Identifier: Apache-2.0
"""What a board reports over its console: lines, events, figures, a log. Stands alone.

A firmware prints text, and between it lines that hold one JSON object each. An object with a
string ``event`` is an event; everything else is text.
"""
