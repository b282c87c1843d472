# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of orders that are tried beside the planner's answer when orders are measured.

Those that are no permutation of a grid, or change nothing there, drop out; of the parameters
of one, the tool takes those that are simulated to be fastest.
"""
from __future__ import annotations

__all__ = ["FAMILIES"]

#: Of a grid of one axis, of which kernels make rows and columns: its numbers as rows of C, in
#: groups of G rows, each walked column by column. What is no whole row stays where it is. They
#: are not in the catalogue, since only enumeration proves them: no order of loops over the grid
#: is the same.
GROUPS_OF_ROWS = """\
param C in {16, 32, 64, 128}
param G in {4, 8, 16}
i = y * gx + x
rows = gx * gy // C
w = G * C
g = i // w
h = max(min(rows - g * G, G), 1)
k = i % w
i = (g * G + k % h) * C + k // h if i < rows * C else i
return i % gx, i // gx
"""
#: The same in groups of G columns, each walked row by row.
GROUPS_OF_COLUMNS = """\
param C in {16, 32, 64, 128}
param G in {4, 8, 16}
i = y * gx + x
rows = gx * gy // C
w = G * max(rows, 1)
g = i // w
h = max(min(C - g * G, G), 1)
k = i % w
i = k // h * C + g * G + k % h if i < rows * C else i
return i % gx, i // gx
"""

FAMILIES = ("@super-group", "@column-group", "@serpentine-group", "@xcd-balanced",
            "@xcd-balanced-super-group", "@xcd-balanced-column-group",
            GROUPS_OF_ROWS, GROUPS_OF_COLUMNS)
