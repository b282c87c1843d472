# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs when a kernel is launched: for each grid a way, found in a dictionary.

Triton's `CompiledKernel.run` is what both Triton and Inductor call to launch a kernel.
A `Launcher` stands in its place and has its arguments: three extents, the stream, the
kernel's handle on the device, and what is handed through.
"""
from __future__ import annotations

import threading
from typing import Any, Callable, Sequence

from .measuring import Measurement
from .planning import Planner, Planned
from .report import Grid, Launch, log

__all__ = ["Launcher", "way_of"]

#: Launches a kernel on one grid, with the arguments of `CompiledKernel.run`.
Way = Callable[..., Any]


def way_of(variant: Any) -> Way:
    """Launches `variant`, a CompiledKernel, whatever kernel's handle is passed."""
    variant._init_handles()
    run = variant._run

    def way(grid_0: int, grid_1: int, grid_2: int, stream: int, _function: Any, _packed: Any,
            *rest: Any) -> Any:
        # The variant has to live on: its module is unloaded when it goes.
        return run(grid_0, grid_1, grid_2, stream, variant.function, variant.packed_metadata,
                   *rest)

    return way


class Switch:
    """Says whether launchers do anything; `planner` is None after `uninstall`."""
    __slots__ = ("planner", "off")

    def __init__(self) -> None:
        self.planner: Planner | None = None
        self.off = 0  #: how many `disabled()` are open


switch = Switch()


class Launcher:
    """Launches one compiled kernel, on each grid in the order that is best there."""
    __slots__ = ("kernel", "original", "ways", "planned", "is_full", "planner", "lock")

    def __init__(self, kernel: Any, original: Way):
        self.kernel, self.original = kernel, original
        self.ways: dict[Grid, Way] = {}
        self.planned = 0  #: grids with a workgroup among them
        self.is_full = False  #: no more are planned for
        self.planner: Planner | None = None
        self.lock = threading.RLock()

    def __reduce__(self) -> tuple[Any, ...]:
        # Inductor pickles kernels with all they hold: this is made anew where needed.
        return (type(None), ())

    def __call__(self, grid_0: int, grid_1: int, grid_2: int, *rest: Any) -> Any:
        if switch.off or switch.planner is None:
            return self.original(grid_0, grid_1, grid_2, *rest)
        way = self.ways.get((grid_0, grid_1, grid_2)) if self.planner is switch.planner else None
        if way is None:
            # Behind the stream, the handle, the metadata twice, and two hooks.
            way = self.find_way((grid_0, grid_1, grid_2), switch.planner, rest[6:])
        return way(grid_0, grid_1, grid_2, *rest)

    def find_way(self, grid: Grid, planner: Planner, arguments: Sequence[Any]) -> Way:
        """Decides about a grid that is new; nothing that goes wrong stops a launch."""
        if self.is_full and self.planner is planner:
            return self.original  # one of any number: nothing is kept of it
        with self.lock:
            if self.planner is not planner:
                self.planner, self.ways, self.planned, self.is_full = planner, {}, 0, False
            if way := self.ways.get(grid):
                return way
            try:
                if planner.settings.timer.is_capturing():
                    return self.original  # nothing is loaded into a graph; later, perhaps
                way = self.decide(grid, planner, arguments)
            except Exception as error:  # whatever it is, Triton's own kernel runs
                way = self.original
                self.log_failure(grid, f"{type(error).__name__}: {error}")
            self.is_full = self.planned >= planner.settings.most_grids and min(grid) > 0
            if not self.is_full:
                self.planned += min(grid) > 0
                self.ways[grid] = way
            return way

    def log_failure(self, grid: Grid, reason: str) -> None:
        log.put(self.kernel.hash, Launch(kernel=self.kernel.name, grid=grid, outcome="failed",
                                         reason_code="error", reason=reason))

    def decide(self, grid: Grid, planner: Planner, arguments: Sequence[Any]) -> Way:
        planned = planner.plan(self.kernel, grid, self.planned, arguments)
        if planned.is_measured:
            return self.measure(grid, planned, planner)
        way = way_of(planned.variants[0].kernel) if planned.variants else self.original
        log.put(self.kernel.hash, planned.launch)
        return way

    def measure(self, grid: Grid, planned: Planned, planner: Planner) -> Way:
        """A way that times orders in turn and then becomes the best of them."""
        orders = [self.original, *(way_of(one.kernel) for one in planned.variants)]

        ways = self.ways

        def settle(turns: list[list[float]]) -> Way:
            best = planner.settle(planned, turns, self.kernel)
            ways[grid] = orders[best]
            return ways[grid]

        def give_up(error: Exception) -> None:
            ways[grid] = self.original
            self.log_failure(grid, "its orders could not be measured: "
                                   f"{type(error).__name__}: {error}")

        log.put(self.kernel.hash, planned.launch)
        settings = planner.settings
        return Measurement(orders, settings.timer, settings.rounds, settle, give_up)
