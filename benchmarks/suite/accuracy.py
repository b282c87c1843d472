#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates orders that were counted on an H200 anew, and fails where that got worse.

    accuracy.py [--bounds accuracy.json] [--orders 6] [--jobs 2]

The bounds name the cases, and say by how much the simulator may be off on average: bytes that
memory reads, relatively, and hits of the L2, in points. A change that makes the simulator
better lowers them. Needs clang, swizzle-llvm and swizzle-opt; no GPU.
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
import suite  # noqa: E402
import sweep  # noqa: E402

Errors = list[tuple[str, float, float]]


def compare(name: str, real: dict[str, Any], told: dict[str, Any]) -> tuple[str, float, float]:
    """How far off the simulator is: bytes relatively, hits in points."""
    return (name, told["dram_read_bytes"] / real["dram_read_bytes"] - 1,
            100 * (told["l2_hit_rate"] - real["l2_hit_rate"]))


def errors_of(case: suite.Case, counters: dict[str, Any], count: int) -> Errors:
    """Of the kernel as it is, and of `count` of the orders that were counted."""
    names = orders.spread([name for name in counters if name not in ("original", "planner")], count)
    errors: Errors = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        source = building.lower(case, folder)
        for name in names:
            formula = orders.formula(name, case.largest_grid())
            made = building.remap(case, source, folder / f"out{source.suffix}", "h200", formula,
                                  "simulate=fast")
            told = made["kernels"][0]["simulated"]
            if not errors:
                errors.append(compare("original", counters["original"], told["before"]))
            errors.append(compare(name, counters[name], told["after"]))
    return errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bounds", type=pathlib.Path, default=HERE / "accuracy.json")
    options = parser.parse_args()
    bounds = json.loads(options.bounds.read_text(encoding="utf-8"))
    rows = sweep.read_rows(report.MEASURED / "suite.jsonl")
    kernels = {kernel.name: kernel for kernel in suite.load()}
    cases = {}
    for name in bounds["cases"]:
        if name not in rows or not rows[name]["counters"]:
            parser.error(f"{name}: nothing was counted of it")
        cases[name] = suite.Case(kernels[rows[name]["kernel"]], rows[name]["sizes"])
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda name: errors_of(
            cases[name], rows[name]["counters"], options.orders), cases))
    for name, errors in zip(cases, found):
        for order, dram, hits in errors:
            print(f"{name}: {order}: DRAM reads {dram:+.2%}, L2 hits {hits:+.1f} points")
    dram_mean = statistics.mean(abs(dram) for errors in found for _, dram, _ in errors)
    hits_mean = statistics.mean(abs(hits) for errors in found for _, _, hits in errors)
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
