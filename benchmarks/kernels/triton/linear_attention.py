#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Kernels of a library that nobody here wrote: flash-linear-attention, each operator of its own
list of benchmarks forward and backward, 4 sequences of 4096 with 16 heads of 128.

    linear_attention.py --library CHECKOUT --out FOLDER [--target sm_90]
                                    compiles without a GPU; IR and launches (offline.py)
    linear_attention.py --judge FOLDER [--chip h200] [--bundles BUNDLES] [--formulas ROWS]
                                    what is decided of each; a bundle of each that is remapped.
                                    With rows that were measured: in the orders that these have
    for one in BUNDLES/*; do swizzle-run $one; done      with a GPU
    linear_attention.py --rows BUNDLES > ../../measured/h200/linear-attention.jsonl

Buffers of floats are random, those of integers zeros. PTX of both variants is made by llc. The
first step needs PyTorch, Triton and einops, the second opt and llc, and the tools.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SIZES = {"B": 4, "T": 4096, "H": 16, "D": 128}
TYPES = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
         "int32": "i32", "int64": "i64", "int8": "i8", "uint8": "i8", "bool": "i8"}


def record(library, out, target):
    sys.path[:0] = [str(HERE), str(library), str(library / "benchmarks/ops")]
    from offline import pretend

    launches = pretend(target)
    import registry
    import torch

    kinds = {"default": torch.bfloat16, "float32": torch.float32, "long": torch.long}
    for name in registry.list_ops():
        operator = registry.get_op(name)
        sizes = dict(next(iter((operator.default_shapes or {"": SIZES}).values())))
        for size, allowed in (operator.dim_constraints or {}).items():
            if sizes.get(size) not in allowed:
                sizes[size] = allowed[-1]
        try:
            function = getattr(importlib.import_module(operator.import_path),
                               operator.func_name or name)
            inputs = {key: torch.zeros(one.shape_fn(**sizes), dtype=kinds[one.dtype])
                      .requires_grad_(one.requires_grad) for key, one in operator.inputs.items()}
            if operator.post_init:
                operator.post_init(inputs, **sizes)
            result = function(**inputs, **operator.extra_kwargs)
            result = result[0] if isinstance(result, (tuple, list)) else result
            if result.requires_grad and not operator.skip_backward:
                result.backward(torch.zeros_like(result))
        except Exception as error:  # One operator's failure is not the others'.
            print(f"{name}: {type(error).__name__}: {str(error)[:150]}", file=sys.stderr)
    launches.write(out)


def tool(name):
    return os.path.join(os.environ.get("SWIZZLE_BIN", "build/dev/bin"), name)


def judge_one(source, chip, formula):
    told = json.loads(source.with_suffix(".json").read_text())
    report, file = source.with_suffix(".report"), source.with_suffix(".formula")
    options = f"{told['options']};chip={chip}"
    if formula:
        file.write_text(formula)
        options += f";formula-file={file};simulate=full"
    subprocess.run([tool("swizzle-llvm"), source, f"--options={options}", f"--report={report}",
                    "-o", source.with_suffix(".remapped")], check=True)
    (kernel,) = json.loads(report.read_text())["kernels"]
    if told["why_not"]:
        kernel["outcome"], kernel["reason_code"] = "refused", told["why_not"][0]
    return source, told, kernel


def compile_ptx(source, out):
    stripped = subprocess.run(["opt", "--strip-debug", source, "-o", "-"], check=True,
                              stdout=subprocess.PIPE).stdout
    ptx = subprocess.run(["llc", "-O3", "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90a",
                          "-mattr=+ptx80", "-o", "-"], input=stripped, check=True,
                         stdout=subprocess.PIPE).stdout
    out.write_bytes(ptx.replace(b", debug", b""))


def arguments_of(told, written, parameters):
    """Of a job; what Triton adds are buffers that nothing uses."""
    for place, (kind, value) in enumerate(told["arguments"]):
        if isinstance(value, dict):
            of_floats = "float" in value["type"]
            yield {"name": f"arg{place}", "kind": "buffer", "bytes": max(value["bytes"], 256),
                   "type": TYPES[value["type"]],
                   "direction": "inout" if f"arg{place}" in written else "in",
                   **({"fill": "random", "seed": place + 1} if of_floats else {"fill": "zeros"})}
        else:
            yield {"name": f"arg{place}", "kind": "scalar",
                   "type": {"fp32": "f32", "u64": "i64"}.get(kind, kind), "value": value}
    for place in range(len(told["arguments"]), parameters):
        yield {"name": f"arg{place}", "kind": "buffer", "bytes": 256, "type": "i8",
               "direction": "in", "fill": "zeros"}


def bundle(source, told, kernel, chip, folder):
    folder.mkdir(parents=True, exist_ok=True)
    compile_ptx(source, folder / "original.ptx")
    compile_ptx(source.with_suffix(".remapped"), folder / "planner.ptx")
    parameters = re.search(r"^define ptx_kernel void @\w+\((.*?)\) local", source.read_text(),
                           re.M)[1].count(", ") + 1
    written = {one["buffer"] for one in kernel["reuse"] if one["written"]}
    variants = [{"name": name, "file": f"{name}.ptx", "format": "ptx", "target": "sm_90"}
                for name in ("original", "planner")]
    variants[1].update(formula=kernel["formula"], params=kernel["params"])
    job = {"schema": "swizzle-job/1", "name": source.stem, "chip": chip, "variants": variants,
           "launches": [{"kernel": told["kernel"], "grid": told["grid"],
                         "block": [told["threads"], 1, 1],
                         "dynamic_workgroup_bytes": told["workgroup_bytes"],
                         "arguments": [*arguments_of(told, written, parameters)]}],
           "measure": {"warm_ups": 2, "repeats": 15, "max_seconds": 3},
           "check": {"compare": True, "relative": 0, "absolute": 0}}
    (folder / "job.json").write_text(json.dumps(job, indent=1) + "\n")
    (folder / "simulated.json").write_text(json.dumps(
        [kernel["simulated"][when]["time_us"] for when in ("before", "after")]))


def judge(folder, chip, bundles, measured):
    formulas = {row["kernel"]: row["formula"]
                for row in map(json.loads, measured.read_text().splitlines())} if measured else {}
    outcomes, missing = collections.Counter(), collections.Counter()
    sources = [one for one in sorted(folder.glob("*.ll")) if not measured or one.stem in formulas]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, told, kernel in pool.map(
                lambda one: judge_one(one, chip, formulas.get(one.stem)), sources):
            outcomes[f"{kernel['outcome']} ({kernel['reason_code']})"] += 1
            missing.update(one["reason"] for one in kernel["not_modelled"]
                           if not one["assumed"])
            print(f"{source.stem} {told['grid']}: {kernel['outcome']}: {kernel['reason']}")
            if bundles and kernel["outcome"] == "remapped":
                bundle(source, told, kernel, chip, bundles / source.stem)
    for what, count in [*outcomes.most_common(), *missing.most_common()]:
        print(f"{count:4} {what}")


def rows(bundles):
    for folder in sorted(bundles.iterdir()):
        job = json.loads((folder / "job.json").read_text())
        results = map(json.loads, (folder / "results.jsonl").read_text().splitlines())
        (planner,) = (one for one in results if one["variant"] == "planner")
        if "metrics" not in planner:
            continue
        metrics, measured = planner["metrics"], planner["measurement"]
        print(json.dumps({
            "kernel": job["name"], "grid": job["launches"][0]["grid"],
            "formula": job["variants"][1]["formula"],
            "simulated_us": [round(time, 1)
                             for time in json.loads((folder / "simulated.json").read_text())],
            "measured_us": [round(measured["original_us"], 1), round(metrics["time_us"], 1)],
            "noise": round(metrics["noise"], 4), "outputs": measured["outputs"],
            "driver": measured["driver"], "date": measured["date"]}))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--target", default="sm_90", choices=["sm_90", "gfx942"])
    parser.add_argument("--judge", type=pathlib.Path)
    parser.add_argument("--chip", default="h200")
    parser.add_argument("--bundles", type=pathlib.Path)
    parser.add_argument("--formulas", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path)
    options = parser.parse_args()
    if options.library and options.out:
        record(options.library.resolve(), options.out, options.target)
    elif options.judge:
        judge(options.judge, options.chip, options.bundles, options.formulas)
    elif options.rows:
        rows(options.rows)
    else:
        parser.error("--library with --out, --judge or --rows: see --help")


if __name__ == "__main__":
    main()
