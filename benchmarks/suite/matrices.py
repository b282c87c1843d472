# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse matrices by a recorded seed, as files of the Matrix Market.

Square, 64^3 rows. Which elements of the vector neighbouring rows share is what tells them
apart:

- regular: a point of a cube and its 26 neighbours, as in HPCG. Rows share most.
- banded: 16 elements at random within 64^2 of the diagonal, the bandwidth to which reverse
  Cuthill-McKee brings a mesh in three dimensions of that many points. Rows share a band.
- power-law: a Chung-Lu graph with 16 edges a row on average, whose degrees follow a power law
  of exponent 2.5, numbered at random. All rows share a few elements, and none a place.
"""
from __future__ import annotations

import itertools
import pathlib
import random
from collections.abc import Callable, Iterator

SEED = 20261123
SIDE = 64
ROWS = SIDE ** 3
PER_ROW = 16
EXPONENT = 2.5

Rows = Iterator[list[int]]


def regular() -> Rows:
    near = [range(max(at - 1, 0), min(at + 2, SIDE)) for at in range(SIDE)]
    for z, y, x in itertools.product(near, near, near):
        yield [(k * SIDE + j) * SIDE + i for k in z for j in y for i in x]


def banded() -> Rows:
    generator, half = random.Random(SEED), SIDE ** 2
    for row in range(ROWS):
        near = range(max(row - half, 0), min(row + half + 1, ROWS))
        yield sorted(generator.sample(near, PER_ROW))


def power_law() -> Rows:
    generator = random.Random(SEED)
    weights = [rank ** (-1 / (EXPONENT - 1)) for rank in range(1, ROWS + 1)]
    generator.shuffle(weights)
    sums, numbers = list(itertools.accumulate(weights)), range(ROWS)
    for weight in weights:
        # Its share of all edges, rounded to one of its neighbours so that it is met on average.
        count = int(weight / sums[-1] * PER_ROW * ROWS + generator.random())
        yield sorted(set(generator.choices(numbers, cum_weights=sums, k=count)))


KINDS: dict[str, Callable[[], Rows]] = {
    "regular": regular, "banded": banded, "power-law": power_law}


def write(kind: str, path: pathlib.Path) -> int:
    """Writes a matrix and returns how many elements it has."""
    rows = list(KINDS[kind]())
    count = sum(map(len, rows))
    with path.open("w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate pattern general\n"
                   f"{ROWS} {ROWS} {count}\n")
        for row, columns in enumerate(rows, 1):
            file.writelines(f"{row} {column + 1}\n" for column in columns)
    return count
