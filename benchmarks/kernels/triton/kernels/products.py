# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Matrix products: C = A B, rows of A and of C and of B contiguous."""
import triton
import triton.language as tl


@triton.jit
def dot_tile(a, b, m, n, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The tile (m, n) of A B in fp32."""
    rows = m * BM + tl.arange(0, BM)
    columns = n * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    left = a + rows[:, None] * sa + k[None, :]
    right = b + k[:, None] * sb + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * sb
    return total


@triton.jit
def put_tile(c, tile, m, n, sc, BM: tl.constexpr, BN: tl.constexpr):
    rows = m * BM + tl.arange(0, BM)
    columns = n * BN + tl.arange(0, BN)
    tl.store(c + rows[:, None] * sc + columns[None, :], tile.to(c.dtype.element_ty))


@triton.jit
def product(a, b, c, K, sa, sb, sc,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0), tl.program_id(1)
    put_tile(c, dot_tile(a, b, m, n, K, sa, sb, BM, BN, BK), m, n, sc, BM, BN)


@triton.jit
def product_one_axis(a, b, c, N, K, sa, sb, sc,
                     BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    m, n = tl.program_id(0) // columns, tl.program_id(0) % columns
    put_tile(c, dot_tile(a, b, m, n, K, sa, sb, BM, BN, BK), m, n, sc, BM, BN)


@triton.jit
def product_grouped(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr,
                    BK: tl.constexpr, GROUP: tl.constexpr):
    """Rows in groups, by hand."""
    number = tl.program_id(0)
    in_group = GROUP * tl.cdiv(N, BN)
    first = number // in_group * GROUP
    size = min(tl.cdiv(M, BM) - first, GROUP)
    m = first + number % in_group % size
    n = number % in_group // size
    put_tile(c, dot_tile(a, b, m, n, K, sa, sb, BM, BN, BK), m, n, sc, BM, BN)


@triton.jit
def product_masked(a, b, c, M, N, K, sa, sb, sc,
                   BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Of any size."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        k = first + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * sa + k[None, :],
                       (rows[:, None] < M) & (k[None, :] < K), 0.0)
        right = tl.load(b + k[:, None] * sb + columns[None, :],
                        (k[:, None] < K) & (columns[None, :] < N), 0.0)
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * sc + columns[None, :], total.to(tl.float16),
             (rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def product_persistent(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr,
                       BK: tl.constexpr, PROGRAMS: tl.constexpr):
    """As many programs as the device holds, each with every PROGRAMS-th tile."""
    columns = tl.cdiv(N, BN)
    for number in range(tl.program_id(0), tl.cdiv(M, BM) * columns, PROGRAMS):
        m, n = number // columns, number % columns
        put_tile(c, dot_tile(a, b, m, n, K, sa, sb, BM, BN, BK), m, n, sc, BM, BN)


@triton.jit
def product_split(a, b, c, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, PARTS: tl.constexpr):
    """K in parts along z, added up by atomics."""
    m, n, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    length = K // PARTS
    tile = dot_tile(a + part * length, b + part * length * sb, m, n, length, sa, sb, BM, BN, BK)
    rows = m * BM + tl.arange(0, BM)
    columns = n * BN + tl.arange(0, BN)
    tl.atomic_add(c + rows[:, None] * sc + columns[None, :], tile, sem="relaxed")


@triton.jit
def product_batched(a, b, c, K, sa, sb, sc, ba, bb, bc,
                    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tile = dot_tile(a + batch * ba, b + batch * bb, m, n, K, sa, sb, BM, BN, BK)
    put_tile(c + batch * bc, tile, m, n, sc, BM, BN)


@triton.jit
def product_int8(a, b, c, scale_a, scale_b, K, sa, sb, sc,
                 BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Of integers of 8 bits, with a scale for each row and column."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.int32)
    for first in range(0, K, BK):
        total += tl.dot(tl.load(a + rows[:, None] * sa + (first + k)[None, :]),
                        tl.load(b + (first + k)[:, None] * sb + columns[None, :]))
    scaled = total.to(tl.float32) * tl.load(scale_a + rows)[:, None]
    scaled *= tl.load(scale_b + columns)[None, :]
    tl.store(c + rows[:, None] * sc + columns[None, :], scaled.to(tl.float16))


@triton.jit
def product_packed(a, b, c, scales, K, sa, sb, sc,
                   BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Weights of 4 bits, two a byte along K, and a scale for each BK of them."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        bytes = tl.load(b + ((first + k) // 2)[:, None] * sb + columns[None, :])
        weights = ((bytes >> ((k % 2) * 4)[:, None]) & 15).to(tl.float16) - 8
        weights *= tl.load(scales + first // BK * sb + columns)[None, :]
        left = tl.load(a + rows[:, None] * sa + (first + k)[None, :])
        total = tl.dot(left, weights, total)
    tl.store(c + rows[:, None] * sc + columns[None, :], total.to(tl.float16))
