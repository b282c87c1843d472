# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Kernels whose programs depend on each other: their order must stay."""
import triton
import triton.language as tl

from .products import dot_tile, put_tile


@triton.jit
def tickets(next, x, out, BLOCK: tl.constexpr):
    """Who comes first gets the first piece of work."""
    mine = tl.atomic_add(next, 1)
    i = mine * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) * 2)


@triton.jit
def append(x, out, count, BLOCK: tl.constexpr):
    """Positive numbers, in whatever order programs come."""
    value = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    keep = (value > 0).to(tl.int32)
    first = tl.atomic_add(count, tl.sum(keep, 0))
    tl.store(out + first + tl.cumsum(keep, 0) - keep, value, value > 0)


@triton.jit
def split_semaphore(a, b, c, parts, arrived, K, sa, sb, sc, BM: tl.constexpr,
                    BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    """K in parts along z; the last one to come adds them up."""
    m, n, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    length = K // PARTS
    tile = dot_tile(a + part * length, b + part * length * sb, m, n, length, sa, sb, BM, BN, BK)
    area = tl.num_programs(0) * BM * sc
    put_tile(parts + part * area, tile, m, n, sc, BM, BN)
    if tl.atomic_add(arrived + m * tl.num_programs(1) + n, 1, sem="acq_rel") == PARTS - 1:
        rows = m * BM + tl.arange(0, BM)
        columns = n * BN + tl.arange(0, BN)
        at = rows[:, None] * sc + columns[None, :]
        total = tl.zeros((BM, BN), tl.float32)
        for one in range(PARTS):
            total += tl.load(parts + one * area + at)
        tl.store(c + at, total.to(tl.float16))


@triton.jit
def stream_product(a, b, c, locks, parts, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr,
                   BK: tl.constexpr):
    """Even programs leave half a tile to odd ones, which wait for it."""
    number = tl.program_id(0)
    tile = number // 2
    m, n = tile // tl.cdiv(N, BN), tile % tl.cdiv(N, BN)
    half = K // 2
    first = number % 2 * half
    mine = dot_tile(a + first, b + first * sb, m, n, half, sa, sb, BM, BN, BK)
    if number % 2 == 0:
        put_tile(parts, mine, m, n, sc, BM, BN)
        tl.atomic_xchg(locks + tile, 1, sem="release")
    else:
        while tl.atomic_cas(locks + tile, 1, 1, sem="acquire") != 1:
            pass
        rows = m * BM + tl.arange(0, BM)
        columns = n * BN + tl.arange(0, BN)
        mine += tl.load(parts + rows[:, None] * sc + columns[None, :])
        put_tile(c, mine, m, n, sc, BM, BN)


@triton.jit
def locked_sums(dy, locks, dw, N, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of a group add to one row of sums, one after the other."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    value = tl.load(dy + row * N + i, i < N, 0.0)
    group = row % GROUP
    while tl.atomic_cas(locks + group, 0, 1) == 1:
        pass
    value += tl.load(dw + group * N + i, i < N, 0.0)
    tl.store(dw + group * N + i, value, i < N)
    tl.atomic_xchg(locks + group, 0)


@triton.jit
def flags(ready, x, out, BLOCK: tl.constexpr):
    """Waits until its left neighbour is done, without an atomic."""
    number = tl.program_id(0)
    if number > 0:
        while tl.load(ready + number - 1, volatile=True) == 0:
            pass
    i = number * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))
    tl.store(ready + number, 1)


@triton.jit
def prefix_sums(x, out, sums, BLOCK: tl.constexpr):
    """Each program waits for the sum of all before it."""
    number = tl.program_id(0)
    i = number * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    before = 0.0
    if number > 0:
        before = tl.atomic_add(sums + number - 1, 0.0, sem="acquire")
        while before == 0.0:
            before = tl.atomic_add(sums + number - 1, 0.0, sem="acquire")
    tl.store(out + i, tl.cumsum(value, 0) + before)
    tl.atomic_xchg(sums + number, before + tl.sum(value, 0), sem="release")


@triton.jit
def barrier(x, out, arrived, BLOCK: tl.constexpr):
    """All programs wait for all, then read what a neighbour wrote."""
    number = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(out + number * BLOCK + i, tl.load(x + number * BLOCK + i))
    tl.atomic_add(arrived, 1)
    while tl.atomic_add(arrived, 0) < tl.num_programs(0):
        pass
    other = (number + 1) % tl.num_programs(0)
    tl.store(x + number * BLOCK + i, tl.load(out + other * BLOCK + i))


@triton.jit
def smooth_in_place(x, n, BLOCK: tl.constexpr):
    """Reads its left neighbour's elements, which that one overwrites."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, (tl.load(x + i - 1, i > 0, 0.0) + tl.load(x + i)) * 0.5)
