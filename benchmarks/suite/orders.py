# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The orders of a sweep: loop nests over a grid, and formulas for them.

An order is a row of loops, the outermost first, as the planner writes it: "y/16, x, y" walks
the tiles of 16 rows, in each the columns, in each its rows; "y, x<" walks x back and forth.
Nothing here knows of the planner: a sweep is what it is measured against.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeVar

TILES = (2, 4, 8, 16, 32, 64)
#: Orders that a sweep has where a grid allows as many.
WANTED = 72


def untiled(axes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every order of the axes, each straight and with its inner loop back and forth."""
    for order in itertools.permutations(axes):
        yield order
        if len(order) > 1:
            yield (*order[:-1], order[-1] + "<")


def tiled(axes: Sequence[str], which: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every order with the axes `which` in two loops each, that over tiles ("y/") and that
    within a tile. With both next to each other it is an order of fewer tiles."""
    loops = [*(axis + "/" for axis in which), *axes]
    for order in itertools.permutations(loops):
        if all(order.index(axis + "/") + 1 < order.index(axis) for axis in which):
            yield order


def candidates(grid: Sequence[int]) -> Iterator[str]:
    """All orders of a grid that this file knows, the coarsest choices first."""
    axes = [axis for axis, extent in zip("zyx", reversed([*grid, 1, 1][:3])) if extent > 1]
    extents = dict(zip("xyz", grid))
    if not axes:
        return
    yield from (", ".join(order) for order in untiled(axes))
    if len(axes) == 1:
        yield from (f"{axes[0]}, {axes[0]}/{tile}" for tile in TILES
                    if extents[axes[0]] % tile == 0 and extents[axes[0]] > tile)
    for count in range(1, len(axes) + 1):
        for tiles in itertools.product(TILES, repeat=count):
            for which in itertools.combinations(axes, count):
                sizes = dict(zip(which, tiles))
                if any(extents[axis] % size or extents[axis] <= size
                       for axis, size in sizes.items()):
                    continue
                for order in tiled(axes, which):
                    yield ", ".join(f"{loop}{sizes[loop[0]]}" if loop.endswith("/") else loop
                                    for loop in order)


Item = TypeVar("Item")


def spread(orders: list[Item], count: int) -> list[Item]:
    """`count` of them, evenly spaced; all where there are fewer."""
    count = min(count, len(orders))
    return [orders[i * len(orders) // count] for i in range(count)]


def sweep(grid: Sequence[int]) -> list[str]:
    """The orders that are measured, about WANTED: all without tiles, then those with one
    tiled axis, then those with more. The first one is the kernel's own."""
    every = list(dict.fromkeys(candidates(grid)))
    chosen: list[str] = []
    for tiles in range(4):
        same = [order for order in every if order.count("/") == tiles]
        chosen += spread(same, max(WANTED - len(chosen), 0)) if tiles else same
    return chosen


def formula(order: str, grid: Sequence[int]) -> str:
    """The order as a formula for a grid of this size. Raises ValueError where the order is
    not one of the grid's."""
    extents = dict(zip("xyz", [*grid, 1, 1][:3]))
    words = order.split(", ")
    tiles = {word[0]: int(word[2:]) for word in words if "/" in word}
    lines = ["i = (z * gy + y) * gx + x"]
    terms: dict[str, list[str]] = {axis: [] for axis in "xyz"}
    for number, word in enumerate(reversed(words)):
        axis, value = word[0], f"v{number}"
        tile = tiles.get(axis, 1)
        if extents[axis] % tile:
            raise ValueError(f"{order}: tiles of {tile} do not divide {extents[axis]}")
        over_tiles = "/" in word
        count = extents[axis] // tile if over_tiles or axis not in tiles else tile
        if number + 1 == len(words):
            lines.append(f"{value} = i")
        else:
            lines += [f"{value} = i % {count}", f"i = i // {count}"]
        if word.endswith("<"):
            lines.append(f"{value} = {count} - 1 - {value} if i % 2 else {value}")
        terms[axis].append(f"{value} * {tile}" if over_tiles else value)
    sums = [" + ".join(terms[axis]) or "0" for axis in "xyz"]
    return "\n".join(lines) + f"\nreturn {', '.join(sums)}\n"
