# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of each kernel on each grid."""
from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Mapping

__all__ = ["Launch", "Log", "Timing", "report"]

Grid = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One order that was timed: median milliseconds over `launches`."""
    order: str  #: formula; "" is the kernel's own
    milliseconds: float
    launches: int


@dataclass(frozen=True, kw_only=True)
class Launch:
    """One kernel on one grid."""
    kernel: str
    grid: Grid
    #: "remapped", "kept", "refused", "failed" (Triton's own kernel runs), "measuring"
    outcome: str
    reason_code: str
    reason: str
    chip: str | None = None
    formula: str | None = None
    params: Mapping[str, int] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    #: Accesses to global memory that are modelled; with those that are not, each of which
    #: counts once for its line of source and its reason.
    modelled: int = 0
    accesses: int = 0
    #: Simulated, original over remapped; None if nothing was simulated.
    simulated_speed_up: float | None = None
    timings: tuple[Timing, ...] = ()

    @classmethod
    def of(cls, kernel: str, grid: Grid, entry: Mapping[str, Any]) -> Launch:
        """From a kernel of the report of swizzle-llvm."""
        simulated = entry.get("simulated") or {}
        before = (simulated.get("before") or {}).get("time_us")
        after = (simulated.get("after") or {}).get("time_us")
        modelled = int(entry.get("modelled") or 0)
        return cls(kernel=kernel, grid=grid, outcome=entry["outcome"],
                   reason_code=entry["reason_code"], reason=entry["reason"],
                   chip=entry.get("chip"), formula=entry.get("formula"),
                   params=entry.get("params") or {},
                   assumptions=tuple((entry.get("proof") or {}).get("assumptions") or ()),
                   modelled=modelled,
                   accesses=modelled + len(entry.get("not_modelled") or ()),
                   simulated_speed_up=before / after if before and after else None)


class Log:
    """The launches of one process, in the order in which they were decided about."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._launches: dict[tuple[str, Grid], Launch] = {}

    def put(self, identity: str, launch: Launch) -> None:
        """Replaces what was said of this kernel (its hash) on this grid."""
        with self._lock:
            self._launches[identity, launch.grid] = launch

    def get(self) -> list[Launch]:
        with self._lock:
            return list(self._launches.values())

    def clear(self) -> None:
        with self._lock:
            self._launches.clear()


log = Log()


def report() -> list[Launch]:
    """What was decided so far, a row for each kernel and grid."""
    return log.get()
