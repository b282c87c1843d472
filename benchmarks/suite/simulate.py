#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates orders that were measured, for the comparison of the two.

    simulate.py IN --rows rows.jsonl --out simulated.jsonl [--sensitivity] [--orders 24] [--jobs 8]

IN is what `prepare.py` made (`--ir-only` will do), ROWS what `sweep.py` measured of it. Of each
case as many orders as asked for are simulated, evenly spread from the fastest to the slowest,
those that were counted always among them, and the kernel as it is and in the planner's order.
Times are of the part of the launch that the pass simulates, with what a remap costs. Orders
that were counted are simulated once more as a whole, one line in 16 (`whole`). With
`--sensitivity` that is repeated with caches a third smaller and a tenth larger, with another
skew, and with younger workgroups that fall behind: `uncertain` is what swizzle-sim says of that,
before anything is compared with a measurement. One kernel of several is enough for that. Where
the rows know the registers of a thread, they are told. A case that is in the output already is
left out.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import pathlib
import sys
import tempfile
from collections.abc import Callable
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import ToolError, run_json  # noqa: E402

FIGURES = ("time_us", "l1_hit_rate", "l2_hit_rate", "dram_read_bytes", "dram_write_bytes")
#: Names of rows that are no order of the sweep.
ORIGINAL, PLANNER = "original", "planner"
#: One line in so many, and the seconds to wait for that; then the next. Coarser samples change
#: what first-level caches hit.
SAMPLES = ((16, 60), (64, 300))

Figures = dict[str, Any]


def sum_of(metrics: list[Figures]) -> Figures:
    """Figures of several launches as one: times and bytes added. A hit rate of several
    launches is left out."""
    if len(metrics) == 1:
        return {name: metrics[0].get(name) for name in FIGURES}
    return {name: sum(one[name] or 0 for one in metrics) for name in FIGURES
            if not name.endswith("rate")}


def planned_formula(row: dict[str, Any]) -> str | None:
    """The planner's order, where it is one formula that needs nothing else."""
    first = row["decided"][0]
    alone = len(row["decided"]) == 1 and first["outcome"] == "remapped" and not first["params"]
    return str(first["formula"]) if alone else None


def simulate(case: suite.Case, source: pathlib.Path, chip: str,
             formula: str) -> dict[str, Figures] | None:
    """The figures of the kernel as it is (`before`) and of one order (`after`), in the part of
    the launch that the pass simulates; None if the order is refused."""
    with tempfile.TemporaryDirectory() as temporary:
        report = building.remap(case, source, pathlib.Path(temporary) / f"out{source.suffix}",
                                chip, formula, "simulate=fast")
    found = {}
    for when in ("before", "after"):
        told = [(kernel.get("simulated") or {}).get(when) for kernel in report["kernels"]]
        if not told or not all(told):
            return None
        found[when] = sum_of([one for one in told if one])
    return found


def whole(case: suite.Case, source: pathlib.Path, options: argparse.Namespace, kernel: str,
          formula: str | None) -> dict[str, Any] | None:
    """What swizzle-sim says of all of one kernel's launch, with what it may depend on where
    that is asked for; None where no sample of its lines is done in time."""
    launch = next((one for one in case.launches() if one["kernel"] == kernel), None)
    # A kernel in MLIR has its sizes in the IR.
    arguments = [f"--{name}={'x'.join(map(str, launch[name]))}"
                 for name in ("grid", "block") if launch]
    if kernel in case.registers:
        arguments.append(f"--registers={case.registers[kernel]}")
    if options.sensitivity:
        arguments.append("--sensitivity")
    with tempfile.TemporaryDirectory() as temporary:
        if formula is not None:
            path = pathlib.Path(temporary) / "formula.swz"
            path.write_text(formula, encoding="utf-8")
            arguments.append(f"--formula-file={path}")
        for lines, seconds in options.samples:
            try:
                told = run_json("swizzle-sim", [
                    source, f"--chip={options.chip}", f"--kernel={kernel}", "--json",
                    f"--sample={lines}", f"--max-seconds={seconds}", *arguments],
                    schema="swizzle-sim/1")
            except ToolError as error:
                if "the time was up" not in error.message:
                    raise
                continue
            (only,) = told["kernels"]
            metrics: dict[str, Any] = only["after"] or only["before"]
            return {**metrics, "mode": only["mode"]}
    return None


def judge(case: suite.Case, source: pathlib.Path, options: argparse.Namespace,
          kernels: list[str], formula: str | None) -> Figures:
    """The figures of all of the kernels' launches, whether one's bytes of memory, read and
    written, are uncertain, and between what and what their sum lies; nothing where one took too
    long."""
    told = [whole(case, source, options, kernel, formula) for kernel in kernels]
    known = [one for one in told if one]
    if len(known) < len(told):
        return {}
    found: Figures = {"whole": {**sum_of(known),
                                "mode": "; ".join(sorted({one["mode"] for one in known}))}}
    if options.sensitivity:
        other = [one["sensitivity"] for one in known]
        found.update({"uncertain": any(one["uncertain"] for one in other),
                      "dram_bytes_low": sum(one["dram_bytes_low"] for one in other),
                      "dram_bytes_high": sum(one["dram_bytes_high"] for one in other)})
    return found


def chosen(row: dict[str, Any], count: int) -> list[str]:
    times = {name: float(us) for name, us in row["orders"].items()
             if us and name not in (ORIGINAL, PLANNER)}
    ranked = sorted(times, key=lambda name: times[name])
    counted = [name for name in row["counters"] if name in times]
    return list(dict.fromkeys([*counted, *orders.spread(ranked, count)]))


def start(case: suite.Case, folder: pathlib.Path, row: dict[str, Any],
          options: argparse.Namespace,
          pool: concurrent.futures.Executor) -> Callable[[], dict[str, Figures]]:
    """Starts all simulations of a row; what it returns waits for them."""
    source = next(folder.glob("kernel.*"))
    formulas = {name: orders.formula(name, row["grid"]) for name in chosen(row, options.orders)}
    if (planned := planned_formula(row)) is not None:
        formulas[PLANNER] = planned
    figures = {name: pool.submit(simulate, case, source, options.chip, formula)
               for name, formula in formulas.items()}
    kernels = [one["kernel"] for one in row["decided"]]
    # What is launched many times in several sizes is not simulated as it was counted.
    judged = [name for name in row["counters"] if name == ORIGINAL or name in formulas] \
        if len(case.launches()) == len(kernels) else []
    verdicts = {name: pool.submit(judge, case, source, options, kernels, formulas.get(name))
                for name in judged}

    def wait() -> dict[str, Figures]:
        told = {name: both for name, one in figures.items() if (both := one.result())}
        found = {name: both["after"] for name, both in told.items()}
        if told:
            found[ORIGINAL] = next(iter(told.values()))["before"]
        for name, verdict in verdicts.items():
            if name in found:
                found[name].update(verdict.result())
        return found
    return wait


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--rows", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--manifest", type=pathlib.Path, default=suite.HERE / "suite.json")
    parser.add_argument("--orders", type=int, default=24)
    parser.add_argument("--sensitivity", action="store_true",
                        help="say of orders that were counted whether they are uncertain")
    parser.add_argument("--case", nargs="*", help="only these")
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    options.samples = SAMPLES
    kernels = {kernel.name: kernel for kernel in suite.load(options.manifest)}
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    for name in options.case or ():
        if name not in {row["case"] for row in rows}:
            parser.error(f"{options.rows} has no case '{name}'")
    done = {json.loads(line)["case"] for line in
            options.out.read_text(encoding="utf-8").splitlines()} if options.out.exists() else set()
    waiting = {}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in rows:
            if row["case"] in done or options.case and row["case"] not in options.case:
                continue
            case = suite.Case(kernels[row["kernel"]], row["sizes"], row.get("registers", {}))
            folder = options.bundles / case.name
            if row["orders"] and folder.exists():
                waiting[case.name] = start(case, folder, row, options, pool)
            else:
                print(f"{case.name}: {'not prepared' if row['orders'] else 'was not swept'}",
                      flush=True)
        for name, wait in waiting.items():
            try:
                found = wait()
            except Exception as error:  # The next case is another one.
                print(f"{name}: error: {error}", file=sys.stderr, flush=True)
                failed += 1
                continue
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"schema": "swizzle-suite-simulated/1", "case": name,
                                       "orders": found}) + "\n")
            said = [one.get("uncertain") for one in found.values() if "whole" in one]
            print(f"{name}: {len(found)} orders, {len(said)} as a whole, {sum(map(bool, said))} "
                  "uncertain", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
