# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Matrix products C = A B of a batch, without masks: sizes are multiples of the tile.

Both kernels compute tiles alike and differ in which program has which one. `batch` is the
grid's last axis; a single product has strides `ba`, `bb` and `bc` of 0.
"""
import triton
import triton.language as tl

from .products import dot_tile, put_tile


@triton.jit
def product_by_rows(a, b, c, K, sa, sb, sc, ba, bb, bc,
                    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Row-major: programs that follow each other compute tiles of one row."""
    n, m, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tile = dot_tile(a + batch * ba, b + batch * bb, m, n, K, sa, sb, BM, BN, BK)
    put_tile(c + batch * bc, tile, m, n, sc, BM, BN)


@triton.jit
def product_by_groups(a, b, c, M, N, K, sa, sb, sc, ba, bb, bc,
                      BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                      GROUP: tl.constexpr):
    """The order that Triton's users write by hand: GROUP rows of tiles, column by column."""
    number, batch = tl.program_id(0), tl.program_id(2)
    in_group = GROUP * (N // BN)
    first = number // in_group * GROUP
    rows = min(M // BM - first, GROUP)
    m = first + number % in_group % rows
    n = number % in_group // rows
    tile = dot_tile(a + batch * ba, b + batch * bb, m, n, K, sa, sb, BM, BN, BK)
    put_tile(c + batch * bc, tile, m, n, sc, BM, BN)
