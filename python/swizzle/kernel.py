# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: plan an order and rewrite the IR (`swizzle-opt`), simulate one
(`swizzle-sim`).

IR is text, or a path to a file of GPU-dialect MLIR.
"""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping

from .formula import Grid, grid_text
from .records import KernelReport, Metrics, read_report
from .tools import option_arguments, run_json, run_tool

__all__ = ["IR", "Plan", "Simulation", "plan", "simulate"]

IR = str | os.PathLike[str]


def is_path(ir: IR) -> bool:
    """True if `ir` names a file, False if it is the IR itself."""
    return not isinstance(ir, str) or ("\n" not in ir and not ir.lstrip().startswith("module"))


def source_of(ir: IR) -> tuple[str, str | None]:
    """What a tool takes for `ir`: a file name, and the text for standard input."""
    return (os.fspath(ir), None) if is_path(ir) else ("-", str(ir))


def option_string(options: Mapping[str, Any]) -> str:
    """Pass options as MLIR reads them: "chip=h200 strict=true"; texts with blanks
    are quoted."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        text = "true" if value is True else str(value)
        quote = '"' if any(c in text for c in " \n;'{}") else ""
        words.append(f"{name}={quote}{text}{quote}")
    return " ".join(words)


@dataclass(frozen=True)
class Plan:
    """What the pass made of a module."""
    ir: str  #: the module afterwards; as it came where nothing was remapped
    kernels: list[KernelReport]
    remarks: str  #: what the pass said


def plan(ir: IR, chip: str | None = None, *, formula: str | None = None, agent: str | None = None,
         grid: Grid | None = None, block: Grid | None = None, **options: Any) -> Plan:
    """Runs `hw-aware-swizzle`: finds an order, or takes `formula`, proves it and
    rewrites the kernels. Further keyword arguments are the pass's options, with `_`
    for `-`, such as `strict=True`. Raises ToolError where the pass reports an error."""
    source, text = source_of(ir)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        settings: dict[str, Any] = {
            "chip": chip, "formula": formula, "agent": agent,
            "grid": grid_text(grid) if grid is not None else None,
            "block": grid_text(block) if block is not None else None, "report": report}
        if formula and "\n" in formula:  # options of a pass are one line
            file = pathlib.Path(folder) / "formula.swz"
            file.write_text(formula, encoding="utf-8")
            settings.update({"formula": None, "formula-file": file})
        settings.update({name.replace("_", "-"): value for name, value in options.items()})
        done = run_tool("swizzle-opt",
                        [source, f"--hw-aware-swizzle={option_string(settings)}"], stdin=text)
        return Plan(done.stdout, read_report(report), done.stderr)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What the simulator says of one kernel. All figures are simulated."""
    module: str
    kernel: str
    chip: str
    grid: str
    mode: str  #: "full detail", "one line in 16, ..."
    before: Metrics | None  #: the order in which the kernel is, if it was asked for
    after: Metrics  #: the order that was asked for
    assumed: list[str]
    not_modelled: list[str]


def simulate(ir: IR, chip: str, formula: str | None = None, *, grid: Grid | None = None,
             block: Grid | None = None, params: Mapping[str, int] | None = None,
             **options: Any) -> list[Simulation]:
    """Simulates every kernel of `ir` on `chip` under `formula`, beside the order in which
    it is. Further keyword arguments are options of swizzle-sim, with `_` for `-`, such as
    `kernel="k"`, `sample=16` (one line in that many), `prefix=0.1` (share of the
    workgroups), `sensitivity=True`."""
    source, text = source_of(ir)
    arguments: list[str] = [source, f"--chip={chip}", "--json"]
    if formula:
        arguments += [f"--formula={formula}", "--compare"]
    arguments += [f"--{name}={grid_text(value)}" for name, value in
                  (("grid", grid), ("block", block)) if value is not None]
    arguments += [f"--set={name}={value}" for name, value in (params or {}).items()]
    arguments += option_arguments(options)
    answer = run_json("swizzle-sim", arguments, schema="swizzle-sim/1", stdin=text)
    results = []
    for one in answer["kernels"]:
        before, after = one.get("before"), one.get("after")
        results.append(Simulation(
            module=one["module"], kernel=one["name"], chip=one["chip"], grid=one["grid"],
            mode=one["mode"], before=Metrics.of(before) if before and after else None,
            after=Metrics.of(after or before), assumed=list(one.get("assumed") or []),
            not_modelled=[entry if isinstance(entry, str) else json.dumps(entry)
                          for entry in one.get("not_modelled") or []]))
    return results
