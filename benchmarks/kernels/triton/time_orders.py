# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times the products of this folder on a GPU in many orders, beside what swizzle.triton takes.

    time_orders.py [--chip h200] [--kernel product ...] [--seconds 300] [--out rows.jsonl]

The orders are those of the suite (benchmarks/suite/orders.py), which know nothing of the
planner; of a grid of one axis, those of the rows and columns that the kernel makes of it. Each
is timed briefly, in one row after the other; then the kernel's own order, the planner's, what
planning="measure" kept and the fastest three of the sweep take turns, and their buffers are
compared. A product that does not begin within the seconds is left out. Needs PyTorch, Triton.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import json
import pathlib
import statistics
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "python"), str(HERE.parents[1] / "suite")]

import orders  # noqa: E402
import torch  # noqa: E402
from cases import CASES  # noqa: E402
from on_gpu import kernel_of, make_arguments  # noqa: E402
from triton.testing import do_bench  # noqa: E402

import swizzle.triton  # noqa: E402
from swizzle.triton import patching  # noqa: E402
from swizzle.triton.assembling import assemble, question_of  # noqa: E402
from swizzle.triton.planning import Planner  # noqa: E402
from swizzle.triton.settings import Settings  # noqa: E402

FINALISTS = 3
TURNS = 7


def plane_of(case):
    """The columns and rows of tiles that a grid of one axis is made into; else nothing."""
    passed = dict(zip(case.arguments(), case.passed()))
    if case.grid[1] > 1 or "PROGRAMS" in passed:
        return None
    columns = passed["N"] // passed["BN"]
    return columns, case.grid[0] // columns


def formula_of(order, case):
    plane = plane_of(case)
    text = orders.formula(order, plane or case.grid)
    if plane is None:
        return text
    lines = text.splitlines()
    x, y, _ = lines[-1].removeprefix("return ").split(", ")
    return "\n".join(["i = x", *lines[1:-1], f"return ({y}) * {plane[0]} + {x}, y, z"]) + "\n"


class Product:
    """One kernel on its grid, and ways to launch it."""

    def __init__(self, case, chip, folder):
        self.case, self.chip, self.folder = case, chip, folder
        self.arguments = make_arguments(case)
        self.everything = [*self.arguments, *case.constants().values()]
        self.kernel = self.launch()
        self.planner = Planner(Settings(chip=chip, cache=folder / "cache"))
        self.question = question_of(self.kernel, case.grid, self.everything)

    def launch(self):
        """As a user does; returns the compiled kernel."""
        return kernel_of(self.case)[self.case.grid](
            *self.arguments, **self.case.constants(), num_warps=self.case.warps)

    def way(self, variant):
        return lambda: variant[self.case.grid](*self.everything)

    def in_order(self, number, order):
        """A way to launch it in this order; None if that is refused."""
        path = self.folder / f"order{number}.swz"
        path.write_text(formula_of(order, self.case), encoding="utf-8")
        options = patching.options_text(self.question, self.planner.settings,
                                        **{"formula-file": str(path), "simulate": "off"})
        answer = patching.ask(self.question, options, None, 60)
        if answer.llir is None:
            return None
        return self.way(assemble(self.kernel, answer.llir, self.planner.store))

    def sweep(self, jobs):
        """Ways by order, without those that are refused."""
        names = orders.sweep(plane_of(self.case) or self.case.grid)[1:]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            made = list(pool.map(lambda item: self.in_order(*item), enumerate(names)))
        return {name: way for name, way in zip(names, made) if way}


def median_us(way, milliseconds):
    return 1000 * do_bench(way, warmup=5, rep=milliseconds, return_mode="median")


def own_order(way=contextlib.nullcontext):
    """The same, although swizzle.triton is installed."""
    def run():
        with swizzle.triton.disabled():
            way()
    return run


def compare(case, options, folder):
    """One row."""
    product = Product(case, options.chip, folder)
    begin = time.perf_counter()
    swept = product.sweep(options.jobs)
    built = time.perf_counter() - begin
    times = {"own": median_us(product.launch, 20)}
    times |= {name: median_us(way, 20) for name, way in swept.items()}
    names = sorted(swept, key=lambda name: times[name])[:FINALISTS]

    planned = product.planner.plan(product.kernel, case.grid, 0, product.everything)
    swizzle.triton.install(chip=options.chip, planning="measure", cache=folder / "measured",
                           timeout=60)
    for _ in range(60):
        product.launch()
    measured = swizzle.triton.report()[-1]
    finals = {"own": own_order(product.launch), "measure": product.launch,
              **{name: own_order(swept[name]) for name in names}}
    if planned.variants:
        finals["planner"] = own_order(product.way(planned.variants[0].kernel))
    turns = {name: [] for name in finals}
    for _ in range(TURNS):
        for name, way in finals.items():
            turns[name].append(median_us(way, 30))
    differ = [name for name, way in finals.items() if not same(product, finals["own"], way)]
    swizzle.triton.uninstall()
    return {"schema": "swizzle-triton-sweep/1", "kernel": case.kernel, "grid": case.grid,
            "device": torch.cuda.get_device_name(), "build_s": round(built, 1),
            "orders": {name: round(us, 2) for name, us in times.items()},
            "planner": {"outcome": planned.launch.outcome, "code": planned.launch.reason_code,
                        "formula": planned.launch.formula},
            "measure": {"outcome": measured.outcome, "formula": measured.formula},
            "finals": {name: round(statistics.median(us), 2) for name, us in turns.items()},
            "turns": {name: [round(one, 2) for one in us] for name, us in turns.items()},
            "differ": differ}


def same(product, own, way):
    """Both leave the same bits; the buffers are as they were before."""
    buffers = [one for one in product.arguments if torch.is_tensor(one)]
    before = [one.clone() for one in buffers]
    own()
    wanted = [one.clone() for one in buffers]
    for one, old in zip(buffers, before):
        one.copy_(old)
    way()
    equal = all(torch.equal(one.view(torch.uint8), want.view(torch.uint8))
                for one, want in zip(buffers, wanted))
    for one, old in zip(buffers, before):
        one.copy_(old)
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chip")
    products = {case.kernel: case for case in CASES if case.file == "products"}
    parser.add_argument("--kernel", nargs="*", choices=list(products))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    deadline = time.monotonic() + options.seconds
    for case in [products[name] for name in options.kernel or products]:
        if time.monotonic() > deadline:
            print(f"{case.kernel}: no time is left", file=sys.stderr)
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                line = json.dumps(compare(case, options, pathlib.Path(folder)))
        except Exception:  # The next kernel is another one.
            print(f"{case.kernel}: {traceback.format_exc()}", file=sys.stderr, flush=True)
            continue
        print(line, flush=True)
        if options.out:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
