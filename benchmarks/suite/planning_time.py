#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long it takes to plan the suite: each kernel and size, alone, by the clock.

    prepare.py OUT --seed 20261123 --ir-only
    planning_time.py OUT [--chip h200] [--seed 20261123] [--write]

What is told is what a user waits for: reading the IR, planning, writing it back. With
`--write`, the table of docs/compile-time.md is replaced.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import sys
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import suite  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "compile-time.md"
MARKS = ("<!-- planning_time.py --write: begin -->\n",
         "<!-- planning_time.py --write: end -->\n")


@dataclass(frozen=True, order=True)
class Planned:
    clock: float  #: seconds
    processors: float  #: seconds, of all together
    case: str
    kernels: int
    remapped: int


def plan(case: suite.Case, folder: pathlib.Path, chip: str) -> Planned:
    """Plans the IR that `prepare.py --ir-only` left in the case's folder."""
    source = next((folder / case.name).glob("kernel.*"))
    before, start = os.times(), time.monotonic()
    report = building.remap(case, source, folder / f"planned{source.suffix}", chip)
    clock, after = time.monotonic() - start, os.times()
    used = (after.children_user - before.children_user
            + after.children_system - before.children_system)
    outcomes = [kernel["outcome"] for kernel in report["kernels"]]
    return Planned(clock, used, case.name, len(outcomes), outcomes.count("remapped"))


def table(rows: list[Planned], chip: str) -> list[str]:
    rows = sorted(rows)
    lines = [f"For {chip}, on a machine with {os.cpu_count()} processors:", "",
             "| of all cases | clock | processors |", "| --- | --- | --- |"]
    for title, part in (("median", 0.5), ("90 %", 0.9), ("worst", 1.0)):
        at = min(len(rows) - 1, int(part * len(rows)))
        used = sorted(row.processors for row in rows)[at]
        lines.append(f"| {title} | {rows[at].clock:.2f} s | {used:.2f} s |")
    lines += ["", "| the slowest | kernels | remapped | clock |", "| --- | --- | --- | --- |"]
    lines += [f"| {row.case} | {row.kernels} | {row.remapped} | {row.clock:.2f} s |"
              for row in rows[:-6:-1]]
    mean = statistics.fmean(row.clock for row in rows)
    return lines + ["", f"{len(rows)} cases, {mean:.2f} s on average."]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="what prepare.py wrote")
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--seed", type=int, default=20261123, help="that of prepare.py")
    parser.add_argument("--kernel", nargs="*", help="only these")
    parser.add_argument("--write", action="store_true",
                        help="replace the table of docs/compile-time.md; needs all kernels")
    options = parser.parse_args()
    if options.write and options.kernel:
        parser.error("--write tells of all kernels: it excludes --kernel")
    chosen = list(suite.choose(parser, options.kernel, HERE / "suite.json").values())
    rows = [plan(case, options.folder, options.chip)
            for case in suite.cases(chosen, options.seed)]
    lines = table(rows, options.chip)
    print("\n".join(lines))
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        begin, end = (text.index(mark) for mark in MARKS)
        PAGE.write_text(text[:begin + len(MARKS[0])] + "\n" + "\n".join(lines) + "\n"
                        + text[end:], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
