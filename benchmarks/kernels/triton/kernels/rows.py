# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""A row, or a few, for each program."""
import triton
import triton.language as tl


@triton.jit
def layer_norm(x, weight, bias, out, mean_out, scale_out, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < N
    value = tl.load(x + row * N + i, inside, 0.0).to(tl.float32)
    mean = tl.sum(value, 0) / N
    centred = tl.where(inside, value - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, 0) / N + 1e-5)
    result = centred * scale * tl.load(weight + i, inside) + tl.load(bias + i, inside)
    tl.store(out + row * N + i, result.to(tl.float16), inside)
    tl.store(mean_out + row, mean)
    tl.store(scale_out + row, scale)


@triton.jit
def layer_norm_backward(dy, x, weight, mean, scale, dx, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < N
    grad = tl.load(dy + row * N + i, inside, 0.0).to(tl.float32)
    value = tl.load(x + row * N + i, inside, 0.0).to(tl.float32)
    factor = tl.load(scale + row)
    normal = tl.where(inside, (value - tl.load(mean + row)) * factor, 0.0)
    weighted = tl.load(weight + i, inside, 0.0).to(tl.float32) * grad
    part = tl.sum(normal * weighted, 0) / N
    rest = tl.sum(weighted, 0) / N
    tl.store(dx + row * N + i, ((weighted - normal * part - rest) * factor).to(tl.float16),
             inside)


@triton.jit
def layer_norm_weights(dy, x, mean, scale, dw, db, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Gradients of weights and biases: columns, over all rows."""
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    inside = columns < N
    grad_w = tl.zeros((BN,), tl.float32)
    grad_b = tl.zeros((BN,), tl.float32)
    for first in range(0, M, BM):
        rows = first + tl.arange(0, BM)
        both = (rows < M)[:, None] & inside[None, :]
        at = rows[:, None] * N + columns[None, :]
        grad = tl.load(dy + at, both, 0.0).to(tl.float32)
        value = tl.load(x + at, both, 0.0).to(tl.float32)
        middle = tl.load(mean + rows, rows < M, 0.0)
        factor = tl.load(scale + rows, rows < M, 0.0)
        grad_w += tl.sum(grad * (value - middle[:, None]) * factor[:, None], 0)
        grad_b += tl.sum(grad, 0)
    tl.store(dw + columns, grad_w, inside)
    tl.store(db + columns, grad_b, inside)


@triton.jit
def rms_norm(x, weight, out, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * N + i, i < N, 0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, 0) / N + 1e-6)
    tl.store(out + row * N + i, (value * scale * tl.load(weight + i, i < N)).to(tl.float16),
             i < N)


@triton.jit
def softmax(x, out, rows, stride, N, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    """A program takes every PROGRAMS-th row."""
    i = tl.arange(0, BLOCK)
    for row in range(tl.program_id(0), rows, PROGRAMS):
        value = tl.load(x + row * stride + i, i < N, float("-inf"))
        power = tl.exp(value - tl.max(value, 0))
        tl.store(out + row * stride + i, power / tl.sum(power, 0), i < N)


@triton.jit
def cross_entropy(scores, labels, losses, grads, N, BLOCK: tl.constexpr):
    """Loss and gradient of one row, over blocks of a long vocabulary."""
    row = tl.program_id(0)
    label = tl.load(labels + row)
    most = float("-inf")
    total = 0.0
    for first in range(0, N, BLOCK):
        i = first + tl.arange(0, BLOCK)
        score = tl.load(scores + row * N + i, i < N, float("-inf")).to(tl.float32)
        higher = tl.maximum(most, tl.max(score, 0))
        total = total * tl.exp(most - higher) + tl.sum(tl.exp(score - higher), 0)
        most = higher
    tl.store(losses + row, most + tl.log(total) - tl.load(scores + row * N + label))
    for first in range(0, N, BLOCK):
        i = first + tl.arange(0, BLOCK)
        score = tl.load(scores + row * N + i, i < N, float("-inf")).to(tl.float32)
        grad = tl.exp(score - most) / total - tl.where(i == label, 1.0, 0.0)
        tl.store(grads + row * N + i, grad.to(tl.float16), i < N)


@triton.jit
def rope(x, cosines, sines, out, heads, D: tl.constexpr):
    """Turns pairs of features by an angle that all heads of a position share."""
    position, head = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, D // 2)
    base = (position * heads + head) * D
    low = tl.load(x + base + i).to(tl.float32)
    high = tl.load(x + base + D // 2 + i).to(tl.float32)
    cosine = tl.load(cosines + position * (D // 2) + i)
    sine = tl.load(sines + position * (D // 2) + i)
    tl.store(out + base + i, (low * cosine - high * sine).to(tl.float16))
    tl.store(out + base + D // 2 + i, (high * cosine + low * sine).to(tl.float16))


@triton.jit
def sort_rows(x, out, N: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    tl.store(out + row * N + i, tl.sort(tl.load(x + row * N + i)))


@triton.jit
def reduce_columns(x, out, N, BM: tl.constexpr, BN: tl.constexpr):
    """Sums of columns, of blocks of rows, added up by atomics."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    value = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.atomic_add(out + columns, tl.sum(value, 0), sem="relaxed")


@triton.jit
def histogram(x, counts, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    found = tl.histogram(tl.load(x + i), BINS)
    tl.atomic_add(counts + tl.arange(0, BINS), found, sem="relaxed")
