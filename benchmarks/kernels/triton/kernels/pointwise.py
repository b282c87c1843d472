# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""An element, or a tile, of the output for each program."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)


@triton.jit
def bias_gelu(x, bias, out, N, BM: tl.constexpr, BN: tl.constexpr):
    """The bias is shared by all rows."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    at = rows[:, None] * N + columns[None, :]
    value = tl.load(x + at).to(tl.float32) + tl.load(bias + columns)[None, :]
    value = value * tl.sigmoid(1.702 * value)
    tl.store(out + at, value.to(tl.float16))


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    value = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(value))


@triton.jit
def stencil(x, out, N, BM: tl.constexpr, BN: tl.constexpr):
    """Five points, of rows that have a margin of BM on all sides."""
    rows = BM + tl.program_id(1) * BM + tl.arange(0, BM)
    columns = BM + tl.program_id(0) * BN + tl.arange(0, BN)
    at = rows[:, None] * N + columns[None, :]
    value = tl.load(x + at) * 0.5
    value += (tl.load(x + at - 1) + tl.load(x + at + 1)) * 0.125
    value += (tl.load(x + at - N) + tl.load(x + at + N)) * 0.125
    tl.store(out + at, value)


@triton.jit
def embedding(tokens, table, out, N, BLOCK: tl.constexpr):
    """Rows of a table, as tokens say."""
    token = tl.load(tokens + tl.program_id(0)).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * N + i, tl.load(table + token * N + i, i < N), i < N)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i, i < n) / (1 - p), 0.0), i < n)
