#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates orders that were counted on an H200 anew, and fails where that got worse.

    accuracy.py [--bounds accuracy.json] [--orders 3] [--jobs 2]

Of every kernel and size that was counted, or of the cases that the bounds name, whole launches
are simulated, one line in 16, as docs/accuracy.md has them. The bounds say by how much the
simulator may be off on average: bytes that memory reads, relatively, and hits of the L2, in
points. A change that makes the simulator better lowers them. Needs clang and swizzle-sim; no
GPU.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import pathlib
import statistics
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import report  # noqa: E402
import simulate  # noqa: E402
import suite  # noqa: E402
import sweep  # noqa: E402

#: Of each order: its name, how far off its bytes are, relatively, and its hits, in points.
Errors = list[tuple[str, float, float | None]]


def compare(name: str, real: dict[str, Any], told: dict[str, Any]) -> tuple[str, float,
                                                                            float | None]:
    """Hits of several kernels in a row are not simulated together."""
    hits = told.get("l2_hit_rate")
    return (name, told["dram_read_bytes"] / real["dram_read_bytes"] - 1,
            None if hits is None else 100 * (hits - real["l2_hit_rate"]))


def errors_of(case: suite.Case, counters: dict[str, Any], kernels: list[str],
              options: argparse.Namespace) -> Errors:
    """Of the kernel as it is, and of some of the orders that were counted."""
    swept = [name for name in counters if name not in ("original", "planner")]
    errors: Errors = []
    with tempfile.TemporaryDirectory() as temporary:
        source = building.lower(case, pathlib.Path(temporary))
        for name in ["original", *orders.spread(swept, options.orders - 1)]:
            formula = None if name == "original" else orders.formula(name, case.largest_grid())
            told = simulate.judge(case, source, options, kernels, formula)
            if "whole" in told and counters[name].get("dram_read_bytes"):
                errors.append(compare(name, counters[name], told["whole"]))
    return errors


def chosen(names: list[str] | None) -> dict[str, tuple[suite.Case, dict[str, Any]]]:
    """Cases that were counted, each with its row; all if nobody names any. What is launched in
    several sizes is not simulated as it was counted."""
    rows = sweep.read_rows(report.MEASURED / "suite.jsonl")
    kernels = {kernel.name: kernel for kernel in suite.load()}
    for name in names or ():
        if name not in rows or not rows[name]["counters"]:
            raise ValueError(f"{name}: nothing was counted of it")
    found = {}
    for name in names or rows:
        row = rows[name]
        case = suite.Case(kernels[row["kernel"]], row["sizes"], row["registers"])
        if row["counters"] and len(case.launches()) == len(row["decided"]):
            found[name] = case, row
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=3, help="of each case, its own among them")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bounds", type=pathlib.Path, default=HERE / "accuracy.json")
    options = parser.parse_args()
    options.chip, options.sensitivity = "h200", False
    options.samples = ((16, 3600),)  # however slow the machine is, the same figures
    bounds = json.loads(options.bounds.read_text(encoding="utf-8"))
    try:
        cases = chosen(bounds.get("cases"))
    except ValueError as error:
        parser.error(str(error))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda one: errors_of(
            one[0], one[1]["counters"], [kernel["kernel"] for kernel in one[1]["decided"]],
            options), cases.values()))
    for name, errors in zip(cases, found):
        for order, dram, hits in errors:
            told = "not compared" if hits is None else f"{hits:+.1f} points"
            print(f"{name}: {order}: DRAM reads {dram:+.2%}, L2 hits {told}")
    dram_mean = statistics.mean(abs(dram) for errors in found for _, dram, _ in errors)
    hits_mean = statistics.mean(abs(hits) for errors in found for _, _, hits in errors
                                if hits is not None)
    print(f"mean: DRAM reads off by {dram_mean:.2%}, L2 hits by {hits_mean:.2f} points")
    worse = [f"{what} are off by {mean:.4f} on average, "
             f"{options.bounds.name} allows {bounds[key]}"
             for what, mean, key in (("bytes that memory reads", dram_mean, "dram_mean"),
                                     ("hits of the L2", hits_mean, "l2_points_mean"))
             if mean > bounds[key]]
    for line in worse:
        print(f"error: {line}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
