# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Attention. Q, K, V and O are [head][row][feature], contiguous."""
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, rows, heads_per_key, scale, D: tl.constexpr, BM: tl.constexpr,
              BN: tl.constexpr, CAUSAL: tl.constexpr):
    """One block of rows of one head; several heads may share keys and values."""
    block, head = tl.program_id(0), tl.program_id(1)
    m = block * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    query = tl.load(q + head * rows * D + m[:, None] * D + d[None, :])
    keys = k + head // heads_per_key * rows * D
    values = v + head // heads_per_key * rows * D
    most = tl.full((BM,), float("-inf"), tl.float32)
    sums = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    end = (block + 1) * BM if CAUSAL else rows
    for first in range(0, end, BN):
        key = tl.load(keys + (first + n)[None, :] * D + d[:, None])
        score = tl.dot(query, key) * scale
        if CAUSAL:
            score = tl.where(m[:, None] >= (first + n)[None, :], score, float("-inf"))
        higher = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - higher[:, None])
        factor = tl.exp2(most - higher)
        sums = sums * factor + tl.sum(weight, 1)
        value = tl.load(values + (first + n)[:, None] * D + d[None, :])
        total = tl.dot(weight.to(tl.float16), value, total * factor[:, None])
        most = higher
    tl.store(o + head * rows * D + m[:, None] * D + d[None, :],
             (total / sums[:, None]).to(tl.float16))


@triton.jit
def attention_backward(q, k, v, do, dk, dv, logs, deltas, rows, scale, D: tl.constexpr,
                       BM: tl.constexpr, BN: tl.constexpr):
    """Gradients of one block of keys and values, over all rows."""
    block, head = tl.program_id(0), tl.program_id(1)
    base = head * rows * D
    n = block * BN + tl.arange(0, BN)
    m = tl.arange(0, BM)
    d = tl.arange(0, D)
    key = tl.load(k + base + n[:, None] * D + d[None, :])
    value = tl.load(v + base + n[:, None] * D + d[None, :])
    grad_key = tl.zeros((BN, D), tl.float32)
    grad_value = tl.zeros((BN, D), tl.float32)
    for first in range(0, rows, BM):
        row = first + m
        query = tl.load(q + base + row[:, None] * D + d[None, :])
        grad = tl.load(do + base + row[:, None] * D + d[None, :])
        log = tl.load(logs + head * rows + row)
        delta = tl.load(deltas + head * rows + row)
        weight = tl.exp2(tl.dot(key, tl.trans(query)) * scale - log[None, :])
        grad_value = tl.dot(weight.to(tl.float16), grad, grad_value)
        change = weight * (tl.dot(value, tl.trans(grad)) - delta[None, :])
        grad_key = tl.dot(change.to(tl.float16), query, grad_key)
    tl.store(dk + base + n[:, None] * D + d[None, :], grad_key.to(tl.float16))
    tl.store(dv + base + n[:, None] * D + d[None, :], grad_value.to(tl.float16))


@triton.jit
def attention_decode(q, k, v, partial, sums, rows, heads_per_key, scale, D: tl.constexpr,
                     BN: tl.constexpr, PARTS: tl.constexpr):
    """One new row against a part of all keys, the parts along y."""
    head, part = tl.program_id(0), tl.program_id(1)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    query = tl.load(q + head * D + d).to(tl.float32)
    keys = k + head // heads_per_key * rows * D
    values = v + head // heads_per_key * rows * D
    total = tl.zeros((D,), tl.float32)
    whole = 0.0
    length = rows // PARTS
    for first in range(part * length, (part + 1) * length, BN):
        key = tl.load(keys + (first + n)[:, None] * D + d[None, :]).to(tl.float32)
        weight = tl.exp2(tl.sum(key * query[None, :], 1) * scale)
        value = tl.load(values + (first + n)[:, None] * D + d[None, :]).to(tl.float32)
        total += tl.sum(value * weight[:, None], 0)
        whole += tl.sum(weight, 0)
    tl.store(partial + (head * PARTS + part) * D + d, total)
    tl.store(sums + head * PARTS + part, whole)


@triton.jit
def attention_paged(q, k, v, o, pages, rows, most_pages, scale, heads, D: tl.constexpr,
                    PAGE: tl.constexpr):
    """One new row of each sequence; a table says where the pages of its keys lie."""
    sequence, head = tl.program_id(0), tl.program_id(1)
    n = tl.arange(0, PAGE)
    d = tl.arange(0, D)
    query = tl.load(q + (sequence * heads + head) * D + d).to(tl.float32)
    total = tl.zeros((D,), tl.float32)
    whole = 0.0
    count = tl.load(rows + sequence)
    for page in range(0, tl.cdiv(count, PAGE)):
        place = tl.load(pages + sequence * most_pages + page).to(tl.int64)
        at = (place * heads + head) * PAGE * D + n[:, None] * D + d[None, :]
        inside = (page * PAGE + n < count)[:, None]
        key = tl.load(k + at, inside, 0.0).to(tl.float32)
        score = tl.sum(key * query[None, :], 1) * scale
        weight = tl.where(page * PAGE + n < count, tl.exp2(score), 0.0)
        value = tl.load(v + at, inside, 0.0).to(tl.float32)
        total += tl.sum(value * weight[:, None], 0)
        whole += tl.sum(weight, 0)
    tl.store(o + (sequence * heads + head) * D + d, (total / whole).to(tl.float16))
