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

#: How many standard errors a gain must exceed, as of `kSigmas` (docs/thresholds.md).
SIGMAS = 2


def choose(turns: Sequence[Sequence[float]], margin: float) -> int:
    """The number of the order that stays, of the times of each in each turn: the fastest of
    those that are faster than the first one, the kernel's own, by `margin` and by more than
    the noise; else that one, 0. Orders are compared within turns: clocks that change move all
    of a turn alike."""
    best, least = 0, 1.0
    for number in range(1, len(turns)):
        ratios = [one / own for one, own in zip(turns[number], turns[0])]
        median = statistics.median(ratios)
        deviation = statistics.median(abs(ratio - median) for ratio in ratios)
        noise = ERROR_OF_MEDIAN * deviation / (math.sqrt(len(ratios)) * median)
        if median < least and 1 / median - 1 > max(margin, SIGMAS * noise):
            best, least = number, median
    return best


class Measurement:
    """A way to launch a kernel that becomes one of `ways` after `rounds` turns.

    A launch raises what the kernel's own would: if another order cannot be launched, or
    the clock fails, the kernel's own order runs from then on, and `give_up` is told why.
    """

    def __init__(self, ways: Sequence[Callable[..., Any]], timer: Timer, rounds: int,
                 settle: Callable[[list[list[float]]], Callable[..., Any]],
                 give_up: Callable[[Exception], None]):
        self.ways, self.timer, self.rounds = list(ways), timer, rounds
        self.settle, self.give_up = settle, give_up
        self.marks: list[list[tuple[Any, Any]]] = [[] for _ in ways]
        self.launches = 0  #: that succeeded
        self.final: Callable[..., Any] | None = None
        self.lock = threading.Lock()

    def __call__(self, grid_0: int, grid_1: int, grid_2: int, stream: int, *rest: Any) -> Any:
        launch = (grid_0, grid_1, grid_2, stream, *rest)
        with self.lock:
            way = self.final or self.next_way()
            return way(*launch) if way else self.launch_next(stream, launch)

    def next_way(self) -> Callable[..., Any] | None:
        """A way that is not timed, or None: the next one is."""
        try:
            if self.timer.is_capturing():
                return self.ways[0]
            if self.launches < len(self.ways) * (self.rounds + 1):
                return None
            turns = [[self.timer.milliseconds(*pair) for pair in pairs] for pairs in self.marks]
            self.final = self.settle(turns)
        except Exception as error:
            self.fail(error)
        return self.final

    def launch_next(self, stream: int, launch: tuple[Any, ...]) -> Any:
        """Launches the order whose turn it is, between two marks. What raises is not
        counted: the same order is launched again next time."""
        turn, number = divmod(self.launches, len(self.ways))
        start = self.mark(stream)
        if self.final:
            return self.final(*launch)
        result = self.launch_other(number, launch) if number else self.ways[0](*launch)
        end = None if self.final else self.mark(stream)
        if not self.final:
            self.launches += 1
            if turn:
                self.marks[number].append((start, end))
        return result

    def launch_other(self, number: int, launch: tuple[Any, ...]) -> Any:
        """Launches an order that is not the kernel's own, and that one if it cannot be. It
        was launched if the hook that is called behind a launch was reached: then it was
        that which raised, and the kernel must not run twice."""
        reached = []
        # Behind the grid and the stream: handle, metadata twice, and two hooks.
        leave = launch[8] if len(launch) > 8 else None

        def noted(metadata: Any) -> Any:
            reached.append(True)
            return leave(metadata)

        try:
            return self.ways[number](*launch if leave is None
                                     else (*launch[:8], noted, *launch[9:]))
        except Exception as error:
            if reached:
                raise
            failure = error
        result = self.ways[0](*launch)
        self.fail(failure)
        return result

    def mark(self, stream: int) -> Any:
        try:
            return self.timer.mark(stream)
        except Exception as error:
            return self.fail(error)

    def fail(self, error: Exception) -> None:
        self.final = self.ways[0]
        self.give_up(error)
