# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `install` was asked for."""
from __future__ import annotations

import math
import numbers
import os
import pathlib
from dataclasses import dataclass, field

from .timing import Timer, TorchTimer

__all__ = ["PLANNING", "Settings", "cache_folder"]

Path = str | os.PathLike[str]

PLANNING = ("database", "planner", "measure")


def cache_folder() -> pathlib.Path:
    """Where patched kernels and what was measured are kept."""
    if chosen := os.environ.get("SWIZZLE_TRITON_CACHE"):
        return pathlib.Path(chosen).expanduser()
    return pathlib.Path.home() / ".cache" / "swizzle" / "triton"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How kernels are planned. `planning` is one of

    * "planner": an order is searched by simulation, once for each kernel and grid;
    * "database": only orders that the database has, nothing is searched;
    * "measure": the first launches on a grid are timed, each with another of the best
      few orders, the one as it is included; what wins goes into the database.
    """
    planning: str = "planner"
    #: The chip to plan for ("h200"), or a file that describes it; else the usual one of
    #: the compiler's target.
    chip: str | None = None
    hardware_file: Path | None = None
    #: The tuning database; by default a file in `cache`.
    database: Path | None = None
    cache: Path = field(default_factory=cache_folder)
    #: More options of swizzle-llvm, such as "strict;simulate=full".
    options: str = ""
    #: True: plan for the sizes and strides of the first launch on a grid; else each counts
    #: as 4096, and more is refused or not modelled.
    sizes: bool = True
    #: Grids of one kernel that are planned for; it keeps its order on later ones.
    most_grids: int = 16
    #: Seconds that planning one kernel for one grid may take.
    timeout: float = 60.0
    #: With "measure": orders that are timed beside the kernel's own, and how often.
    candidates: int = 5
    rounds: int = 9
    #: With "measure": an order must be faster than the kernel's own by this part, and by twice
    #: the noise.
    margin: float = 0.01
    timer: Timer = field(default_factory=TorchTimer)

    def __post_init__(self) -> None:
        if self.planning not in PLANNING:
            raise ValueError(f"planning={self.planning!r}: it takes {', '.join(PLANNING)}")
        if self.chip and self.hardware_file:
            raise ValueError("give either chip or hardware_file")
        for name in ("most_grids", "candidates", "rounds"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int):
                raise TypeError(f"{name}={number!r}: it takes a whole number")
            if number < 1:
                raise ValueError(f"{name}={number}: at least 1")
        for name, unit in (("timeout", "a number of seconds"), ("margin", "a part, such as 0.01")):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, numbers.Real):
                raise TypeError(f"{name}={number!r}: it takes {unit}")
        if not 0 < self.timeout < math.inf:
            raise ValueError(f"timeout={self.timeout}: more than 0 seconds, and not forever")
        if not 0 <= self.margin < math.inf:
            raise ValueError(f"margin={self.margin}: at least 0")
        if not isinstance(self.sizes, bool):
            raise TypeError(f"sizes={self.sizes!r}: it takes True or False")
        if not callable(getattr(self.timer, "is_capturing", None)):
            raise TypeError(f"timer={self.timer!r}: it takes a Timer")
        if not isinstance(self.options, str):
            raise TypeError(f"options={self.options!r}: it takes a text such as "
                            "\"strict;simulate=full\"")
        for name in ("chip", "hardware_file", "database", "cache"):
            if ";" in str(getattr(self, name) or ""):  # would be read as further options
                raise ValueError(f"{name}={str(getattr(self, name))!r}: without ';'")
        for name in ("hardware_file", "database", "cache"):
            if path := getattr(self, name):  # frozen, for everybody else
                object.__setattr__(self, name, pathlib.Path(path).expanduser())

    @property
    def cache_path(self) -> pathlib.Path:
        return pathlib.Path(self.cache)

    @property
    def database_path(self) -> pathlib.Path:
        return pathlib.Path(self.database) if self.database else self.cache_path / "tuned.db"
