#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times dense products in fp16 as Triton writes them, in several orders, with cuBLAS beside.

    fp16.py --out rows.jsonl [--size 4096x4096x4096 ...] [--kernel own grouped ...]
            [--turns 20] [--seconds 80]

A row is one size in one tile: the kernel in its own row-major order, the same kernel in the
order of swizzle.triton's planner, Triton's usual order by groups of rows, and
`torch.matmul`. They run in turns, caches cleared before each, on the same contents. Before
that, the warps and stages of the tile are chosen by a short timing. Orders of a tile have to
write the same bits, and what cuBLAS writes but for rounding.

Everything is compiled and planned before the first timing: planning uses all cores. A case
that fails is told, the next one runs, and the exit status is 1. Needs a GPU, PyTorch, Triton,
and swizzle-llvm; without the last one, the planner's order is missing in all rows.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import functools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"),
                str(HERE.parent / "kernels" / "triton")]

import fp16_cases  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
from cold import time_us  # noqa: E402

from swizzle.triton.planning import Planner  # noqa: E402
from swizzle.triton.settings import Settings  # noqa: E402

WAYS = ("own", "planner", "grouped", "cublas")
CHOOSING = 5  #: timings of a build, of which the median counts
WARM_UP = 3  #: turns that do not count
PAUSE = 0.01  #: seconds between turns: the GPU slows down under such kernels
#: Of outputs: |ours - cuBLAS's| / (|cuBLAS's| + their root mean square), two units in the last
#: place of fp16. Both add in fp32, in different orders, and round once.
MOST_ERROR = 2.0 ** -9


@functools.cache
def machine():
    """What the figures were measured on."""
    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        driver = subprocess.run(asked, capture_output=True, text=True, check=True,
                                timeout=20).stdout.split()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        driver = None
    return {"device": torch.cuda.get_device_name(), "driver": driver, "cuda": torch.version.cuda,
            "torch": torch.__version__, "triton": triton.__version__}


class Builds:
    """All kernels of the cases, compiled, and the planner's answers about them."""

    def __init__(self, cases, kernels, planner, jobs):
        self.kernels, self.answers = {}, {}
        tensors = [torch.empty(16, device="cuda", dtype=torch.float16) for _ in range(3)]
        for case in cases:
            for build in fp16_cases.BUILDS[case.tile]:
                for order in fp16_cases.KERNELS:
                    self.kernels[case, build, order] = attempt(
                        fp16_cases.compiled, case, order, build, tensors[0])
        if "planner" not in kernels:
            return
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.answers = {
                (case, build): pool.submit(fp16_cases.plan, case, kernel, tensors, planner)
                for (case, build, order), kernel in self.kernels.items()
                if order == "own" and not isinstance(kernel, Exception)}

    def kernel(self, case, build, order):
        """Raises what compiling it raised."""
        kernel = self.kernels[case, build, order]
        if isinstance(kernel, Exception):
            raise kernel
        return kernel

    def plan(self, case, build):
        """Of the planner: a kernel, or None where the own order stays; and what it says."""
        if (case, build) not in self.answers:
            return None, {"outcome": "not asked"}
        try:
            planned = self.answers[case, build].result()
        except Exception as error:
            print(f"{case.name}: {traceback.format_exc()}", file=sys.stderr, flush=True)
            return None, {"outcome": "failed", "reason": f"{type(error).__name__}: {error}"}
        launch = planned.launch
        return planned.variants[0].kernel if planned.variants else None, {
            "outcome": launch.outcome, "code": launch.reason_code, "reason": launch.reason,
            "formula": launch.formula, "simulated_gain": launch.simulated_speed_up,
            "modelled": launch.modelled, "accesses": launch.accesses}


def attempt(function, *arguments):
    """What it returns, or the exception that it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return error


def way(kernel, case, order, tensors):
    grid, everything = case.grid(order), case.arguments(order, tensors)
    return lambda: kernel[grid](*everything)


def median_us(run, flush):
    run()
    return statistics.median(time_us(run, flush) for _ in range(CHOOSING))


def choose(case, builds, orders, tensors, flush):
    """The build that is fastest in one of the orders, and all times of the choice. One that
    cannot be compiled or launched is no choice, unless none is left."""
    tried, failed = {}, None
    for build in fp16_cases.BUILDS[case.tile]:
        try:
            tried[build] = {order: round(median_us(way(builds.kernel(case, build, order), case,
                                                       order, tensors), flush), 2)
                            for order in orders}
        except Exception as error:
            failed = error
            print(f"{case.name}, {build}: {traceback.format_exc()}", file=sys.stderr, flush=True)
    if not tried:
        raise failed
    return min(tried, key=lambda build: min(tried[build].values())), tried


def error_of(got, wanted):
    wanted = wanted.float()
    return float(((got.float() - wanted).abs() / (wanted.abs() + wanted.square().mean().sqrt()))
                 .max())


def check(ways, c, library):
    """Orders that write other bits than the first one, and its distance from cuBLAS's."""
    wanted, differ = None, []
    for name, run in ways.items():
        if name == "cublas":
            continue
        c.fill_(float("nan"))  # what no program writes is seen
        run()
        if wanted is None:
            wanted = c.clone()
        elif not torch.equal(c.view(torch.int16), wanted.view(torch.int16)):
            differ.append(name)
    return differ, error_of(wanted, library())


def take_turns(ways, turns, flush):
    """Times by name. Every turn begins with another one: none always follows the same."""
    names = list(ways)
    times = {name: [] for name in names}
    for turn in range(turns + WARM_UP):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            times[name].append(time_us(ways[name], flush))
        time.sleep(PAUSE)
    return {name: [round(us, 2) for us in all_times[WARM_UP:]]
            for name, all_times in times.items()}


def measure(case, builds, options, flush):
    """One row."""
    a, b, c = [torch.empty(shape, device="cuda", dtype=torch.float16).normal_()
               for shape in case.shapes()]
    tensors, product = [a, b, c], torch.matmul if case.batch == 1 else torch.bmm
    orders = [name for name in fp16_cases.KERNELS if name in ("own", *options.kernel)]
    build, tried = choose(case, builds, orders, tensors, flush)
    planned, decision = builds.plan(case, build)
    ways = {"own": way(builds.kernel(case, build, "own"), case, "own", tensors)}
    if planned:
        ways["planner"] = way(planned, case, "own", tensors)
    if "grouped" in orders:
        ways["grouped"] = way(builds.kernel(case, build, "grouped"), case, "grouped", tensors)
    if "cublas" in options.kernel:
        ways["cublas"] = lambda: product(a, b, out=c)
    differ, error = check(ways, c, lambda: product(a, b))
    turns = take_turns(ways, options.turns, flush)
    medians = {name: statistics.median(times) for name, times in turns.items()}
    return {"schema": "swizzle-suite-fp16/1", "size": case.size, "batch": case.batch,
            "m": case.m, "n": case.n, "k": case.k, "tile": list(case.tile),
            "warps": build.warps, "stages": build.stages,
            "tried_us": {str(one): times for one, times in tried.items()},
            **machine(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "planner": decision, "differ": differ, "error": error,
            "median_us": {name: round(us, 2) for name, us in medians.items()},
            "tflops": {name: round(case.flops / us / 1e6, 1) for name, us in medians.items()},
            "turns_us": turns}


def problems(row):
    """What a row must not say."""
    found = [f"'{name}' wrote other bits than the kernel's own order" for name in row["differ"]]
    if not row["error"] <= MOST_ERROR:
        found.append(f"off from cuBLAS's by {row['error']:.2g}, more than {MOST_ERROR:.2g}")
    if row["planner"]["outcome"] in ("failed", "refused"):
        found.append(f"{row['planner']['outcome']}: {row['planner']['reason']}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = list(dict.fromkeys(case.size for case in fp16_cases.CASES))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--size", nargs="+", choices=sizes, default=sizes)
    parser.add_argument("--kernel", nargs="+", choices=WAYS, default=list(WAYS),
                        help="only these, and the kernel's own order")
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=80)
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    torch.manual_seed(1)
    cases = [case for case in fp16_cases.CASES if case.size in options.size]
    flush = torch.empty(1 << 28, device="cuda", dtype=torch.int8)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        builds = Builds(cases, options.kernel,
                        Planner(Settings(chip=options.chip, cache=pathlib.Path(folder))),
                        options.jobs)
        for case in cases:
            if time.monotonic() > deadline:
                print(f"{case.name}: no time is left", file=sys.stderr)
                failed = True
                continue
            try:
                row = measure(case, builds, options, flush)
            except Exception:  # The next case is another one.
                print(f"{case.name}: {traceback.format_exc()}", file=sys.stderr, flush=True)
                failed = True
                continue
            for text in problems(row):
                print(f"{case.name}: {text}", file=sys.stderr, flush=True)
                failed = True
            line = json.dumps(row)
            print(line, flush=True)
            if options.out:
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
            torch.cuda.empty_cache()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
