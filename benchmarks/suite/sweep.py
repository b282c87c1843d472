#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what `prepare.py` made, beside a sweep of orders, on a machine with a GPU.

    sweep.py IN --out rows.jsonl [--seconds 600] [--jobs 16] [--known ROWS [--counters]] [--energy]

First every order of `orders.py` a few times; then, carefully and compared bit by bit, the
kernel as it is, the planner's order, and the best three of the sweep, which would otherwise
owe their rank to luck. `--counters` adds what ncu counts of six orders to rows that are known.
A case that is in the output already is left out, and so is what does not begin within the
seconds. Needs swizzle-run, swizzle-opt, swizzle-llvm and swizzle-compile.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import find_tool  # noqa: E402

FINALISTS = 3


def build_order(case: suite.Case, folder: pathlib.Path, source: pathlib.Path, chip: str,
                number: int, order: str) -> dict[str, str] | None:
    """A variant of the bundle in this order; None if it is refused."""
    formula = orders.formula(order, case.largest_grid())
    path = folder / f"order{number}{source.suffix}"
    # One formula for all kernels of a case: their grids are the same.
    report = building.remap(case, source, path, chip, formula,
                            "simulate=off")
    if any(kernel["outcome"] != "remapped" for kernel in report["kernels"]):
        return None
    building.compile_ptx(path, path.with_suffix(".ptx"))
    return building.variant(order, building.assemble(path.with_suffix(".ptx")), formula)


def measure(folder: pathlib.Path, job: dict[str, Any], name: str, *options: str,
            seconds: float) -> dict[str, dict[str, Any]]:
    """What swizzle-run says of each variant of `job`."""
    building.write_json(folder / "job.json", job)
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    done = subprocess.run([find_tool("swizzle-run"), *options, folder], check=False,
                          timeout=seconds, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip())
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    results.rename(folder / f"{name}.jsonl")
    return {row["variant"]: row for row in rows}


def time_of(row: dict[str, Any]) -> float | None:
    return (row.get("metrics") or {}).get("time_us")


def compact(row: dict[str, Any]) -> dict[str, Any]:
    """A result without its samples."""
    if "metrics" not in row:
        return {"failure": row["failure"]}
    kept: dict[str, Any] = {name: value for name, value in row["metrics"].items()
                            if isinstance(value, (int, float)) and value}
    measured = row.get("measurement") or {}
    for name in ("original_us", "drift", "outputs"):
        if measured.get(name) is not None:
            kept[name] = measured[name]
    for which in ("cold", "warm"):
        for name in ("median_us", "p20_us", "p80_us", "noise"):
            if (value := (measured.get(which) or {}).get(name)) is not None:
                kept[f"{which}_{name}"] = value
    return kept


def load_job(folder: pathlib.Path) -> dict[str, Any]:
    """The bundle as `prepare.py` made it, assembled."""
    job: dict[str, Any] = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    # An interrupted run left its own variants there.
    job["variants"] = [one for one in job["variants"] if one["name"] in ("original", "planner")]
    for variant in job["variants"]:
        if variant["format"] == "ptx":
            made = building.assemble(folder / variant["file"])
            variant.update(file=made.name, format=made.suffix[1:])
    return job


def build_orders(case: suite.Case, folder: pathlib.Path, names: list[str],
                 jobs: int) -> list[dict[str, str]]:
    """Variants of the bundle in these orders, without those that are refused."""
    told = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    source = folder / told["source"]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [variant for variant in pool.map(
            lambda item: build_order(case, folder, source, told["chip"], *item),
            enumerate(names)) if variant]


def count_case(case: suite.Case, folder: pathlib.Path, options: argparse.Namespace,
               known: dict[str, Any]) -> dict[str, Any]:
    """The row that is known, with counters of six orders from the fastest to the slowest."""
    job = load_job(folder)
    times = {name: float(us) for name, us in known["orders"].items()
             if us and name not in ("original", "planner")}
    names = orders.spread(sorted(times, key=lambda name: times[name]), 6 - len(job["variants"]))
    counted = {**job, "variants": [*job["variants"],
                                   *build_orders(case, folder, names, options.jobs)],
               "check": {"compare": False},
               "measure": {"warm_ups": 1, "repeats": 3, "max_seconds": 5}}
    found = measure(folder, counted, "counters", "--counters", seconds=400)
    return {**known, "counters": {name: compact(found[name]) for name in found}}


def measure_case(case: suite.Case, folder: pathlib.Path, options: argparse.Namespace,
                 known: dict[str, Any] | None) -> dict[str, Any]:
    """A row of the output. With a row that is known, its sweep is not measured again, only
    what was fastest in it."""
    told = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    job = load_job(folder)
    names = orders.sweep(case.largest_grid())[1:] if case.kernel.sweep else []
    if known:
        names = [name for name in known.get("fastest", []) if name != "original"][:FINALISTS]
    built = build_orders(case, folder, names, options.jobs)
    row: dict[str, Any] = {"schema": "swizzle-suite-row/1", "case": case.name, **{
        name: told[name] for name in ("kernel", "sizes", "drawn", "grid", "decided", "seconds")},
        "refused": len(names) - len(built), "orders": {}, "finals": {}, "counters": {}}
    best: list[dict[str, str]] = []
    if known:
        row.update({name: known[name] for name in ("orders", "fastest", "refused")
                    if name in known})
        best = built
    elif built:
        swept = {**job, "variants": [*job["variants"], *built], "check": {"compare": False},
                 "measure": {"warm_ups": 1, "repeats": 4, "max_seconds": 5}}
        found = measure(folder, swept, "sweep", f"--group={len(built) + 2}", seconds=300)
        row["orders"] = {name: time_of(found[name]) for name in found}
        ranked = sorted((name for name in found if time_of(found[name]) and name != "planner"),
                        key=lambda name: time_of(found[name]) or 0)
        best = [variant for name in ranked[:FINALISTS] for variant in built
                if variant["name"] == name]
        row["fastest"] = ranked[:6]
    settings: dict[str, float] = {"warm_ups": 3, "repeats": 20, "max_seconds": 20}
    if options.energy:
        settings["energy_seconds"] = 0.5
    final = {**job, "variants": [*job["variants"], *best], "measure": settings}
    found = measure(folder, final, "finals", seconds=300)
    row["finals"] = {name: compact(found[name]) for name in found}
    if any((one.get("measurement") or {}) for one in found.values()):
        first = next(iter(found.values()))
        row["measured"] = {name: first["measurement"].get(name) for name in ("driver", "date")}
        row["device"] = first["metrics"].get("device")
    return row


def read_rows(path: pathlib.Path | None) -> dict[str, dict[str, Any]]:
    """Rows by case; none where there is no file."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["case"]: row for row in rows}


def prepared(bundles: pathlib.Path, kernels: dict[str, suite.Kernel]
             ) -> Iterator[tuple[suite.Case, pathlib.Path]]:
    """The cases of these kernels that `prepare.py` made in a folder, each with its own."""
    for path in sorted(bundles.glob("*/case.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["kernel"] in kernels:
            yield suite.Case(kernels[told["kernel"]], told["sizes"]), path.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--known", type=pathlib.Path, metavar="ROWS",
                        help="take sweeps from there, and measure their fastest orders alone")
    parser.add_argument("--counters", action="store_true",
                        help="add ncu's counters of six orders to the rows of --known")
    parser.add_argument("--manifest", type=pathlib.Path, default=suite.HERE / "suite.json")
    parser.add_argument("--energy", action="store_true")
    parser.add_argument("--kernel", nargs="*", help="only these")
    options = parser.parse_args()
    if options.counters and not options.known:
        parser.error("--counters needs the rows of --known")
    deadline = time.monotonic() + options.seconds
    done, known = read_rows(options.out), read_rows(options.known)
    kernels = suite.choose(parser, options.kernel, options.manifest)
    for case, folder in prepared(options.bundles, kernels):
        if case.name in done:
            continue
        if time.monotonic() > deadline:
            print(f"{case.name}: no time is left", flush=True)
            continue
        begin = time.monotonic()
        try:
            row = count_case(case, folder, options, known[case.name]) if options.counters \
                else measure_case(case, folder, options, known.get(case.name))
        except Exception as error:  # The next case is another one.
            print(f"{case.name}: error: {error}", file=sys.stderr, flush=True)
            continue
        with options.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        told_times = ", ".join(f"{name} {one.get('time_us', 0):.1f}"
                               for name, one in row["finals"].items())
        print(f"{case.name}: {told_times} us; {time.monotonic() - begin:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
