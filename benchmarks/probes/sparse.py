#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Makes bundles of kernels that go by tables, spmm.cu and edge_sums.cu of ../kernels/hip-cuda, as
they are and in the planner's order. How long rows are, and how often a number comes again, the
planner does not know.

    sparse.py --build=build/dev --out FOLDER
    swizzle-run FOLDER/spmm                     with a GPU: results.jsonl beside the job
    sparse.py --rows FOLDER >> ../measured/h200/sparse.jsonl
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels" / "hip-cuda"
ROWS, LENGTH, EDGES, VERTICES, WIDTH = 16384, 16, 32768, 8192, 4096


def buffer(name, count, kind, direction="in", seed=None):
    filling = {"fill": "zeros"} if seed is None else {"fill": "random", "seed": seed}
    return {"name": name, "kind": "buffer", "bytes": 4 * count, "type": kind,
            "direction": direction, **filling}


def numbers(**values):
    return [{"name": name, "kind": "scalar", "type": "i32", "value": value}
            for name, value in values.items()]


def launch(kernel, grid, arguments):
    return {"kernel": kernel, "grid": [*grid, 1], "block": [256, 1, 1], "arguments": arguments}


def fill(starts, table, places, below, length, seed):
    """A launch that counts as well: the same, some microseconds, in every order."""
    return launch("fill_tables", [places // 256 + 1, 1], [starts, table, *numbers(
        places=places, numbers=below, length=length, seed=seed)])


def jobs():
    starts = buffer("starts", ROWS + 1, "i32", "inout")
    table = buffer("columns", ROWS * LENGTH, "i32", "inout")
    yield "spmm", [
        fill(starts, table, ROWS * LENGTH, ROWS, LENGTH, 1),
        launch("spmm", [WIDTH // 256, ROWS], [
            starts, table, buffer("values", ROWS * LENGTH, "f32", seed=5),
            buffer("dense", ROWS * WIDTH, "f32", seed=3), buffer("out", ROWS * WIDTH, "f32", "out"),
            *numbers(width=WIDTH)])]
    unused = buffer("unused", EDGES + 1, "i32", "inout")
    ends = [buffer(name, EDGES, "i32", "inout") for name in ("from", "to")]
    yield "edge_sums", [
        *(fill(unused, one, EDGES, VERTICES, 1, seed) for seed, one in enumerate(ends)),
        launch("edge_sums", [WIDTH // 256, EDGES], [
            *ends, buffer("features", VERTICES * WIDTH, "f32", seed=3),
            buffer("sums", VERTICES * WIDTH, "f32", "inout"), *numbers(width=WIDTH)])]


def compile_ptx(source, chip, options, folder, build):
    """The kernel and what fills its tables, as PTX; the report, if an order is asked for."""
    both = folder / "both.cu"
    both.write_text(f'#include "{HERE / "sparse.cu"}"\n#include "{source}"\n')
    target = folder / ("planner.ptx" if options else "original.ptx")
    report = folder / "report.json"
    subprocess.run(
        ["clang", "-x", "cuda", "-nocudainc", "-nocudalib", "--offload-arch=sm_90", "-O2", "-S",
         "--offload-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx80",
         "-I", str(KERNELS), str(both), "-o", str(target)]
        + ([f"-fpass-plugin={build / 'lib' / 'SwizzleLLVM.so'}"] if options else []),
        check=True, env={**os.environ, "SWIZZLE_OPTIONS": f"chip={chip};{options};report={report}"})
    both.unlink()
    return json.loads(report.read_text()) if options else {}


def make(build, out, chip):
    for name, launches in jobs():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        source = KERNELS / f"{name}.cu"
        compile_ptx(source, chip, "", folder, build)
        told = compile_ptx(source, chip, f"launches={KERNELS / 'launches.json'}", folder, build)
        order = next(one for one in told["kernels"] if one["name"] == name)
        print(f"{name}: {order['reason']}")
        job = {"schema": "swizzle-job/1", "name": name, "chip": chip, "launches": launches,
               "variants": [{"name": one, "file": f"{one}.ptx", "format": "ptx", "target": "sm_90"}
                            for one in ("original", "planner")],
               # Sums of floats depend on who comes first.
               "check": {"relative": 1e-3, "absolute": 1e-2} if "sums" in name else {}}
        (folder / "job.json").write_text(json.dumps(job, indent=1))


def rows(out):
    for path in sorted(out.glob("*/results.jsonl")):
        report = json.loads((path.parent / "report.json").read_text())
        told = next(one for one in report["kernels"] if one["name"] == path.parent.name)
        original, planner = map(json.loads, path.read_text().splitlines())
        measured = planner["measurement"]
        yield {"kernel": told["name"], "grid": told["grid"], "formula": told["formula"],
               "simulated_us": [round(told["simulated"][when]["time_us"], 1)
                                for when in ("before", "after")],
               "measured_us": [round(measured["original_us"], 1),
                               round(planner["metrics"]["time_us"], 1)],
               "noise": round(max(original["metrics"]["noise"], planner["metrics"]["noise"]), 4),
               "outputs": measured["outputs"], "driver": measured["driver"],
               "date": measured["date"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--rows", type=pathlib.Path)
    options = parser.parse_args()
    if options.rows:
        for row in rows(options.rows):
            print(json.dumps(row))
    elif options.build and options.out:
        make(options.build.resolve(), options.out, options.chip)
    else:
        parser.error("--build and --out, or --rows")


if __name__ == "__main__":
    main()
