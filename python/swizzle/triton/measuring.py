# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times orders of one kernel at its first launches.

Each launch runs one order, once: kernels that add to what they find in memory stay right.
Orders take turns, so that what changes meanwhile (clocks, other work) meets all of them
alike. The first turn is not counted: caches are cold and code is loaded.
"""
from __future__ import annotations

import math
import statistics
import threading
from typing import Any, Callable, Sequence

from .timing import Timer

__all__ = ["Measurement", "choose"]

#: Of a median whose samples deviate by 1 from it, in the median.
ERROR_OF_MEDIAN = 1.4826 * 1.2533


def choose(turns: Sequence[Sequence[float]], margin: float) -> int:
    """The number of the order that stays, of the times of each in each turn: the fastest, if
    it beats the first one, the kernel's own, by `margin` and by twice the noise; else that one,
    0. Orders are compared within turns: clocks that change move all of a turn alike."""
    best, least = 0, 1.0
    for number in range(1, len(turns)):
        ratios = [one / own for one, own in zip(turns[number], turns[0])]
        median = statistics.median(ratios)
        deviation = statistics.median(abs(ratio - median) for ratio in ratios)
        noise = ERROR_OF_MEDIAN * deviation / math.sqrt(len(ratios))
        if median < min(least, 1 - max(margin, 2 * noise)):
            best, least = number, median
    return best


class Measurement:
    """A way to launch a kernel that becomes one of `ways` after `rounds` turns."""

    def __init__(self, ways: Sequence[Callable[..., Any]], timer: Timer, rounds: int,
                 settle: Callable[[list[list[float]]], Callable[..., Any]]):
        self.ways, self.timer, self.rounds, self.settle = list(ways), timer, rounds, settle
        self.marks: list[list[tuple[Any, Any]]] = [[] for _ in ways]
        self.launches = 0
        self.final: Callable[..., Any] | None = None
        self.lock = threading.Lock()

    def __call__(self, grid_0: int, grid_1: int, grid_2: int, stream: int, *rest: Any) -> Any:
        with self.lock:
            way = self.final or self.next_way(stream)
            if way is not None:
                return way(grid_0, grid_1, grid_2, stream, *rest)
            turn, number = divmod(self.launches, len(self.ways))
            self.launches += 1
            start = self.timer.mark(stream)
            result = self.ways[number](grid_0, grid_1, grid_2, stream, *rest)
            end = self.timer.mark(stream)
            if turn:
                self.marks[number].append((start, end))
            return result

    def next_way(self, stream: int) -> Callable[..., Any] | None:
        """A way that is not timed, or None: the next one is."""
        if self.timer.is_capturing():
            return self.ways[0]
        if self.launches < len(self.ways) * (self.rounds + 1):
            return None
        turns = [[self.timer.milliseconds(*pair) for pair in pairs] for pairs in self.marks]
        self.final = self.settle(turns)
        return self.final
