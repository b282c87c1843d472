# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas: prove one, evaluate it, draw it. What `swizzle-formula` does.

    >>> check("return gx - 1 - x, y", grid=(8, 4)).legal
    True
"""
from __future__ import annotations

import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Sequence

from .tools import ToolError, run_json, run_tool

__all__ = ["Verdict", "FormulaError", "check", "table", "draw", "catalogue", "grid_text"]

Grid = str | Sequence[int | None]


class FormulaError(ValueError):
    """The formula cannot be read, or needs something that was not given. The text
    has line, column and a caret."""


@dataclass(frozen=True)
class Verdict:
    """Whether a formula is a permutation of its grid, and how that is known."""
    legal: bool
    formula: str  #: canonical text
    grid: str
    proof: str | None = None  #: "enumerated", "nest", "guarded"
    ids: int = 0  #: workgroups that were enumerated
    code: str | None = None  #: of the refusal: "duplicate", "out-of-range", ...
    message: str | None = None
    counterexample: str | None = None
    params: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.legal


def grid_text(grid: Grid) -> str:
    """"96x61" of (96, 61); None stands for an extent that the launch decides."""
    if isinstance(grid, str):
        return grid
    return "x".join("?" if extent is None else str(extent) for extent in grid)


def formula_arguments(formula: str, grid: Grid | None = None, chip: str | None = None,
                      hardware: Mapping[str, int] | None = None,
                      params: Mapping[str, int] | None = None) -> list[str]:
    """The options that hand a formula to a tool."""
    arguments = [f"--formula={formula}"]
    if grid is not None:
        arguments.append(f"--grid={grid_text(grid)}")
    if chip:
        arguments.append(f"--chip={chip}")
    arguments += [f"--hw={name}={value}" for name, value in (hardware or {}).items()]
    arguments += [f"--set={name}={value}" for name, value in (params or {}).items()]
    return arguments


def check(formula: str, grid: Grid, chip: str | None = None, *,
          hardware: Mapping[str, int] | None = None,
          params: Mapping[str, int] | None = None) -> Verdict:
    """Proves `formula` (text, or "@name" of the catalogue) on `grid`.

    An illegal formula is a Verdict with a counterexample, not an exception; one that
    cannot be read or bound raises FormulaError.
    """
    try:
        answer = run_json("swizzle-formula",
                          [*formula_arguments(formula, grid, chip, hardware, params), "--json"],
                          schema="swizzle-formula/1", accept=(0, 1, 2))
    except ToolError as error:
        raise FormulaError(error.message) from error
    proof: Mapping[str, Any] = answer.get("proof") or {}
    refusal: Mapping[str, Any] = answer.get("refusal") or {}
    if answer["verdict"] == "unusable":
        raise FormulaError(answer.get("error") or refusal.get("message"))
    return Verdict(legal=answer["verdict"] == "legal", formula=answer["formula"],
                   grid=answer["grid"], proof=proof.get("kind"), ids=proof.get("ids", 0),
                   code=refusal.get("code"), message=refusal.get("message"),
                   counterexample=refusal.get("counterexample") or None,
                   params=answer.get("params") or {})


def table(formula: str, grid: Grid, chip: str | None = None, *,
          hardware: Mapping[str, int] | None = None,
          params: Mapping[str, int] | None = None) -> str:
    """The new id of every workgroup, as text for people."""
    try:
        return run_tool("swizzle-formula",
                        [*formula_arguments(formula, grid, chip, hardware, params), "--table"],
                        accept=(0, 1)).stdout
    except ToolError as error:
        raise FormulaError(error.message) from error


def draw(formula: str, grid: Grid, chip: str | None = None, *,
         path: str | os.PathLike[str] | None = None, hardware: Mapping[str, int] | None = None,
         params: Mapping[str, int] | None = None) -> str:
    """The grid coloured by die and by time, before and after, as SVG text; written to
    `path` as well if that is given."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(path) if path else pathlib.Path(folder) / "mapping.svg"
        try:
            run_tool("swizzle-formula",
                     [*formula_arguments(formula, grid, chip, hardware, params),
                      f"--draw={target}"])
        except ToolError as error:
            raise FormulaError(error.message) from error
        return target.read_text()


def catalogue() -> Iterable[str]:
    """Names of the catalogue's entries, without the "@"."""
    lines = run_tool("swizzle-formula", ["--list"]).stdout.splitlines()
    return [line.split()[0].lstrip("@") for line in lines if line and not line[0].isspace()]
