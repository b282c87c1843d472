# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs when a kernel is launched: for each grid a way, found in a dictionary. Where
an order rests on sizes, the way of a grid looks for one by the launch's sizes; where it rests
on buffers that lie apart, they are looked at.

Triton's `CompiledKernel.run` is what both Triton and Inductor call to launch a kernel.
A `Launcher` stands in its place and has its arguments: three extents, the stream, the
kernel's handle on the device, and what is handed through.
"""
from __future__ import annotations

import threading
from typing import Any, Callable, Hashable, Sequence

from .guarding import Apart, Key, sizes_key
from .measuring import Measurement
from .planning import Planner, Planned, shared_memory
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
    __slots__ = ("kernel", "original", "ways", "sizes_key", "planned", "is_full", "planner",
                 "lock")

    def __init__(self, kernel: Any, original: Way):
        self.kernel, self.original = kernel, original
        #: By grid; where sizes count, one that asks for them, and others by both.
        self.ways: dict[Hashable, Way] = {}
        self.sizes_key: Key | None = None
        self.planned = 0  #: grids, or sizes on them, with a workgroup among them
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

    def find_way(self, grid: Grid, planner: Planner, arguments: Sequence[Any],
                 sizes: Hashable = None) -> Way:
        """Decides about a grid that is new, or about new sizes on one; nothing that goes
        wrong stops a launch."""
        if self.is_full and self.planner is planner:
            return self.original  # one of any number: nothing is kept of it
        with self.lock:
            if self.planner is not planner:
                self.planner, self.ways, self.planned, self.is_full = planner, {}, 0, False
            key: Hashable = grid if sizes is None else (grid, sizes)
            if way := self.ways.get(key):
                return way
            try:
                if planner.settings.timer.is_capturing():
                    return self.original  # nothing is loaded into a graph; later, perhaps
                key, way = self.decide(grid, planner, arguments, key)
            except Exception as error:  # whatever it is, Triton's own kernel runs
                way = self.original
                self.log_failure(grid, f"{type(error).__name__}: {error}")
            self.is_full = self.planned >= planner.settings.most_grids and min(grid) > 0
            if not self.is_full:
                self.planned += min(grid) > 0
                if key != grid:
                    self.ways[grid] = self.launch_by_sizes
                self.ways[key] = way
            return way

    def launch_by_sizes(self, grid_0: int, grid_1: int, grid_2: int, *rest: Any) -> Any:
        """The way of a grid whose order rests on sizes: that of the sizes of this launch."""
        grid, arguments = (grid_0, grid_1, grid_2), rest[6:]
        assert self.sizes_key and self.planner
        try:
            sizes = self.sizes_key(arguments)
            way = self.ways.get((grid, sizes))
        except Exception:  # not the arguments that a kernel of this type has
            return self.original(grid_0, grid_1, grid_2, *rest)
        if way is None:
            way = self.find_way(grid, self.planner, arguments, sizes)
        return way(grid_0, grid_1, grid_2, *rest)

    def log_failure(self, grid: Grid, reason: str) -> None:
        log.put(self.kernel.hash, Launch(kernel=self.kernel.name, grid=grid, outcome="failed",
                                         reason_code="error", reason=reason))

    def decide(self, grid: Grid, planner: Planner, arguments: Sequence[Any],
               key: Hashable) -> tuple[Hashable, Way]:
        """The way, and what it is kept by: `key`, or a longer one if it rests on sizes."""
        planned = planner.plan(self.kernel, grid, self.planned, arguments)
        if planned.needs_sizes and planner.settings.sizes:
            self.sizes_key = self.sizes_key or sizes_key(arguments)
            key = (grid, self.sizes_key(arguments))
        if planned.is_measured:
            return key, self.measure(key, planned, planner, arguments)
        way = self.way_of(planned, 0, arguments) if planned.variants else self.original
        log.put(self.kernel.hash, planned.launch)
        return key, way

    def way_of(self, planned: Planned, number: int, arguments: Sequence[Any]) -> Way:
        way, apart = way_of(planned.variants[number].kernel), planned.needs_apart
        if not apart:
            return way
        return Apart(self.original, way, arguments,
                     lambda passed: shared_memory(apart, self.kernel, passed))

    def measure(self, key: Hashable, planned: Planned, planner: Planner,
                arguments: Sequence[Any]) -> Way:
        """A way that times orders in turn and then becomes the best of them."""
        orders = [self.original,
                  *(self.way_of(planned, number, arguments)
                    for number in range(len(planned.variants)))]

        ways = self.ways

        def settle(turns: list[list[float]]) -> Way:
            best = planner.settle(planned, turns, self.kernel)
            ways[key] = orders[best]
            return orders[best]

        def give_up(error: Exception) -> None:
            ways[key] = self.original
            self.log_failure(planned.launch.grid, "its orders could not be measured: "
                                                  f"{type(error).__name__}: {error}")

        log.put(self.kernel.hash, planned.launch)
        settings = planner.settings
        return Measurement(orders, settings.timer, settings.rounds, settle, give_up)
