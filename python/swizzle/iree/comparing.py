# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three orders of each kernel, simulated: IREE's own, the planned one, and the one that IREE
takes when it is told to reorder workgroups.

IREE's `conditional_transpose<dies, units a die>` stands in a kernel's lowering config; it
is added to the configured source of each executable, which IREE then compiles on. It takes
it for grids of two axes only. (Its option --iree-codegen-reorder-workgroups-strategy=transpose
changes no matrix product.)
"""
from __future__ import annotations

import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ..kernel import simulate
from ..llvm_text import for_tools
from ..records import Metrics
from .compiler import Executable, IreeError, dump, target_flags
from .patching import block_of, plan_executables

__all__ = ["Comparison", "compare"]

CONFIG = "#iree_gpu.lowering_config<{"


@dataclass(frozen=True)
class Comparison:
    """A kernel's simulated metrics as it is, in the planned order (the same if it is kept
    or refused), and in IREE's, or None if it takes none. `differs` says whether IREE's
    strategy changed the kernel at all; `problem` why it takes none."""
    kernel: str
    grid: tuple[int, int, int]
    outcome: str
    own: Metrics
    planned: Metrics
    transposed: Metrics | None
    differs: bool
    problem: str
    entry: Mapping[str, Any]  #: what swizzle-llvm reports


def simulated(llir: str, chip: str, entry: Mapping[str, Any], folder: pathlib.Path,
              formula: str | None = None) -> Metrics:
    path = folder / "simulated.ll"
    path.write_text(for_tools(llir))
    block = block_of(llir)
    (one,) = simulate(path, chip, formula, kernel=entry["name"], grid=tuple(entry["grid"]),
                      block=tuple(map(int, block.split("x"))) if block else None,
                      params=entry["params"] if formula else None, simulate="fast")
    return one.after


def transpose(one: Executable, chip: Mapping[str, Any], source: str | os.PathLike[str],
              flags: Sequence[str], folder: pathlib.Path) -> str:
    """The LLVM IR of an executable with IREE's own strategy, for a chip's constants."""
    text = one.configured.read_text()
    if CONFIG not in text:
        raise IreeError("its lowering config has no place for it")
    strategy = ("workgroup_reordering_strategy = #iree_gpu.conditional_transpose<"
                f"{chip['num_xcds']}, {chip['cus_per_xcd']}>, ")
    folder.mkdir()
    (folder / "configured.mlir").write_text(text.replace(CONFIG, CONFIG + strategy))
    made = dump(source, [
        *flags, f"--iree-hal-executable-object-search-path={folder}",
        f"--iree-hal-substitute-executable-configuration={one.name}=configured.mlir"],
        folder / "dump")
    return next(other for other in made if other.name == one.name).llir.read_text()


def compare(source: str | os.PathLike[str], *, target: str, chip: str, options: str = "",
            flags: Sequence[str] = ()) -> list[Comparison]:
    """Compiles `source` for `target` and simulates each kernel whose grid is known on
    `chip`. Executables with more than one kernel are left out."""
    all_flags = [*target_flags(target), *flags]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        executables = dump(source, all_flags, folder / "dump")
        entries = {one.name: answer.kernels[0] for one, answer in plan_executables(
            executables, target, chip, options) if len(answer.kernels) == 1}
        known = [one for one in executables
                 if None not in entries.get(one.name, {"grid": [None]})["grid"]]
        for one in known:
            entry, llir = entries[one.name], one.llir.read_text()
            x, y, z = entry["grid"]
            own = simulated(llir, chip, entry, folder)
            theirs, problem = None, ""
            try:
                theirs = transpose(one, entry["constants"], source, all_flags,
                                   folder / one.name)
            except IreeError as reason:
                problem = str(reason)
            rows.append(Comparison(
                entry["name"], (x, y, z), entry["outcome"], own,
                simulated(llir, chip, entry, folder, entry["formula"])
                if entry["outcome"] == "remapped" else own,
                simulated(theirs, chip, entry, folder) if theirs else None,
                theirs not in (None, llir), problem, entry))
    return rows
