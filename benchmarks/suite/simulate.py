#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates orders that were measured, for the comparison of the two.

    simulate.py IN --rows rows.jsonl --out simulated.jsonl [--orders 24] [--jobs 8]

IN is what `prepare.py` made, ROWS what `sweep.py` measured of it. Of each case as many orders
as asked for are simulated, evenly spread from the fastest to the slowest, those that were
counted always among them.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import pathlib
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import suite  # noqa: E402

FIGURES = ("time_us", "l1_hit_rate", "l2_hit_rate", "dram_read_bytes", "dram_write_bytes")


def sum_of(metrics: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of several launches as one: times and bytes added. A hit rate of several
    launches is left out."""
    if len(metrics) == 1:
        return {name: metrics[0].get(name) for name in FIGURES}
    return {name: sum(one[name] or 0 for one in metrics) for name in FIGURES
            if not name.endswith("rate")}


def simulate(case: suite.Case, folder: pathlib.Path, order: str,
             chip: str) -> tuple[str, dict[str, Any]] | None:
    """The figures of one order."""
    source = next(folder.glob("kernel.*"))
    formula = orders.formula(order, case.largest_grid())
    report = building.remap(case, source, folder / f"simulated-{abs(hash(order))}", chip, formula,
                            "simulate=fast")
    told = [kernel["simulated"]["after"] for kernel in report["kernels"]
            if (kernel.get("simulated") or {}).get("after")]
    return (order, sum_of(told)) if len(told) == len(report["kernels"]) else None


def chosen(row: dict[str, Any], count: int) -> list[str]:
    times = {name: float(time) for name, time in row["orders"].items()
             if time and name not in ("original", "planner")}
    ranked = sorted(times, key=lambda name: times[name])
    counted = [name for name in row["counters"] if name in times]
    return list(dict.fromkeys([*counted, *orders.spread(ranked, count)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--rows", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--orders", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    kernels = {kernel.name: kernel for kernel in suite.load()}
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in rows:
            case = suite.Case(kernels[row["kernel"]], row["sizes"])
            folder = options.bundles / case.name
            if not row["orders"] or not (folder / "case.json").exists():
                continue
            chip = json.loads((folder / "case.json").read_text(encoding="utf-8"))["chip"]
            found = dict(one for one in pool.map(
                lambda order: simulate(case, folder, order, chip),
                chosen(row, options.orders)) if one)
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"schema": "swizzle-suite-simulated/1", "case": case.name,
                                       "orders": found}) + "\n")
            print(f"{case.name}: {len(found)} orders", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
