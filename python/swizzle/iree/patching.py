# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a model to a module of IREE's with kernels in another order.

    dump        iree-compile writes the LLVM IR of each executable
    patch       swizzle-llvm plans, proves and patches
    object      llc and IREE's own linker
    substitute  iree-compile takes the object in place of what it would compile
"""
from __future__ import annotations

import os
import pathlib
import re
import tempfile
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence

from ..remapping import Remapped, remap
from .compiler import Executable, check_output, dump, link, target_flags
from .objects import make_object

__all__ = ["Kernel", "compile", "options_for", "plan_executables"]

#: Seconds in which the tool has to answer about an executable.
TIMEOUT = 300


@dataclass(frozen=True)
class Kernel:
    """What was decided about one kernel: `outcome` is remapped, kept or refused, with the
    reason and its code; all of what swizzle-llvm reports is in `entry`."""
    executable: str
    kernel: str
    grid: tuple[int | None, ...]
    outcome: str
    reason_code: str
    reason: str
    formula: str | None
    entry: Mapping[str, Any]

    @classmethod
    def of(cls, executable: str, entry: Mapping[str, Any]) -> "Kernel":
        return cls(executable, entry["name"], tuple(entry["grid"]), entry["outcome"],
                   entry["reason_code"], entry["reason"], entry["formula"], entry)


def block_of(llir: str) -> str | None:
    """The workgroup's size of an executable for CUDA. IREE launches with the size that it
    tells the back end as the largest; a launch with another runs in its own order."""
    sizes = set(re.findall(r'"nvvm\.maxntid"="([\d,]+)"', llir))
    return sizes.pop().replace(",", "x") if len(sizes) == 1 else None


def options_for(llir: str, target: str, chip: str | None, options: str) -> str:
    """Of swizzle-llvm. Grids stand in the IR: as ranges of the workgroups' ids, exact where
    shapes are static."""
    named = {"target": target, "tag": "off", "chip": chip, "block": block_of(llir)}
    text = ";".join(f"{name}={value}" for name, value in named.items() if value)
    return f"{text};{options}" if options else text


def plan_executables(executables: Sequence[Executable], target: str, chip: str | None,
                     options: str) -> Iterator[tuple[Executable, Remapped]]:
    for one in executables:
        llir = one.llir.read_text()
        yield one, remap(llir, options_for(llir, target, chip, options), TIMEOUT)


def compile(source: str | os.PathLike[str], output: str | os.PathLike[str], *, target: str,
            chip: str | None = None, options: str = "",
            flags: Sequence[str] = ()) -> list[Kernel]:
    """Compiles `source` as iree-compile does, with `flags`, for `target` ("gfx942",
    "sm_80"), and with kernels in a better order where there is one. `chip`: what is planned
    for, else the usual chip of the target; `options`: more of swizzle-llvm's. Raises
    IreeError or RemapError if a step does not work; nothing is written then."""
    check_output(source, options, output)
    all_flags = [*target_flags(target), *flags]
    kernels, objects = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        executables = dump(source, all_flags, folder / "dump")
        for one, answer in plan_executables(executables, target, chip, options):
            found = [Kernel.of(one.name, entry) for entry in answer.kernels]
            if any(kernel.outcome == "remapped" for kernel in found):
                objects.append(make_object(answer.llir, one.llir, target, folder / one.name))
            kernels += found
        link(source, all_flags, objects, folder, output)
    return kernels
