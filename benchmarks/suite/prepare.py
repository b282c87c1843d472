#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a bundle of each kernel and size of the suite: as it is, and as the planner has it.

    prepare.py OUT [--chip h200] [--seed 20261123] [--kernel star3d_r1 ...] [--jobs 2] [--ir-only]
    prepare.py OUT --manifest ../kernels/hip-cuda/suite.json --plugin build/dev/lib/SwizzleLLVM.so

OUT/CASE holds kernel.ll or kernel.mlir, job.json with PTX beside it (docs/bundle.md), and
case.json: what was decided, why, and what is simulated. `sweep.py` goes on from there, on a
machine with a GPU. Needs clang, the tools of this project, and no GPU; from IR that is there
already, no clang. With `--plugin`, clang alone compiles kernels in CUDA, once with the plugin
and once without.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import sys
import time
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import suite  # noqa: E402


def decision(kernel: dict[str, Any]) -> dict[str, Any]:
    """What a report says of a kernel, in few words."""
    simulated = kernel.get("simulated") or {}
    kept = {name: kernel.get(name) for name in (
        "outcome", "reason_code", "reason", "formula", "params", "bottleneck")}
    for when in ("before", "after"):
        metrics = simulated.get(when)
        kept[when] = metrics and {name: metrics.get(name) for name in (
            "time_us", "l1_hit_rate", "l2_hit_rate", "dram_read_bytes", "dram_write_bytes")}
    return {"kernel": kernel["name"], **kept, "mode": simulated.get("mode"),
            "error": simulated.get("error")}


def compile_both(case: suite.Case, folder: pathlib.Path, source: pathlib.Path,
                 options: argparse.Namespace) -> list[dict[str, Any]]:
    """Writes original.ptx and, if the planner has another order, planner.ptx; returns what was
    decided."""
    original, planned = folder / "original.ptx", folder / "planner.ptx"
    if options.plugin:
        building.run_clang(case, original)
        report = building.compile_by_plugin(case, planned, options.chip, options.plugin.resolve())
    else:
        building.compile_ptx(source, original)
        remapped = folder / f"planner{source.suffix}"
        report = building.remap(case, source, remapped, options.chip)
        if any(kernel["outcome"] == "remapped" for kernel in report["kernels"]):
            building.compile_ptx(remapped, planned)
    return [decision(kernel) for kernel in report["kernels"]]


def prepare(case: suite.Case, options: argparse.Namespace) -> str:
    """One bundle; says what came of it."""
    folder = options.out / case.name
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.perf_counter()
    written = [path for path in folder.glob("kernel.*") if not options.ir_only]
    source = written[0] if written else building.lower(case, folder)
    if options.ir_only:
        return f"{case.name}: {source.name}"
    kernels = compile_both(case, folder, source, options)
    variants = [building.variant("original", folder / "original.ptx")]
    if any(kernel["outcome"] == "remapped" for kernel in kernels):
        variants.append(building.variant("planner", folder / "planner.ptx"))
    building.write_json(folder / "case.json", {
        "schema": "swizzle-suite-case/1", "kernel": case.kernel.name, "sizes": case.sizes,
        "drawn": None if {k: v for k, v in case.sizes.items() if k not in case.kernel.fixed}
        in case.kernel.listed else options.seed,
        "source": source.name, "chip": options.chip, "grid": case.largest_grid(),
        "decided": kernels,
        "seconds": round(time.perf_counter() - begin, 2)})
    building.write_job(case, folder, options.chip, variants)
    return f"{case.name}: " + ", ".join(
        f"{kernel['kernel']} {kernel['outcome']} ({kernel['reason_code']})" for kernel in kernels)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--seed", type=int, help="also two sizes a kernel that it draws")
    parser.add_argument("--kernel", nargs="*", help="only these")
    parser.add_argument("--ir-only", action="store_true",
                        help="stop before planning, which another machine may go on with")
    parser.add_argument("--manifest", type=pathlib.Path, default=suite.HERE / "suite.json")
    parser.add_argument("--plugin", type=pathlib.Path, help="the plugin for clang")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = list(suite.choose(parser, options.kernel, options.manifest).values())
    for kernel in chosen:
        if options.plugin and kernel.source.suffix != ".cu":
            parser.error(f"--plugin is for kernels in CUDA, and {kernel.name} is not one")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(prepare, case, options): case
                   for case in suite.cases(chosen, options.seed)}
        for done in concurrent.futures.as_completed(waiting):
            try:
                print(done.result(), flush=True)
            except Exception as error:  # One kernel's failure is not the others'.
                failed += 1
                print(f"{waiting[done].name}: error: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
