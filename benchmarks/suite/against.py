#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times a kernel as it is, in the planner's order, and what a user would call instead.

    against.py IN --out library.jsonl [--turns 20] [--kernel transpose ...]

IN is what `prepare.py` made. The three run in turns, caches cleared before each, on the same
contents; the library's answer is also the check that the kernel computes what it should.
Needs a GPU, CUDA's driver, and PyTorch.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import suite  # noqa: E402
import torch  # noqa: E402
from cold import time_us  # noqa: E402

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8,
         "i32": torch.int32}


class Driver:
    """The few functions of CUDA's driver that launch what PyTorch did not compile."""

    def __init__(self) -> None:
        torch.zeros(1, device="cuda")  # PyTorch's context is the one that is used.
        self.library = ctypes.CDLL("libcuda.so.1")

    def call(self, name: str, *arguments: object) -> None:
        if code := getattr(self.library, name)(*arguments):
            raise RuntimeError(f"{name} says {code}")

    def load(self, path: pathlib.Path, kernel: str) -> ctypes.c_void_p:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), path.read_bytes() + b"\0")
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        return function

    def launch(self, function: ctypes.c_void_p, launch: dict, buffers: dict) -> None:
        values = [ctypes.c_void_p(buffers[one["name"]].data_ptr()) if one["kind"] == "buffer"
                  else ctypes.c_int32(one["value"]) for one in launch["arguments"]]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self.call("cuLaunchKernel", function, *launch["grid"], *launch["block"], 0,
                  ctypes.c_void_p(torch.cuda.current_stream().cuda_stream), pointers, None)


def library(case: suite.Case, at: dict):
    """What a user would call instead, and where its result stands among our outputs."""
    size = case.sizes
    calls = {
        "transpose": lambda: ("out", at["in"].view(size["NY"], size["NX"]).t().contiguous()),
        "bias": lambda: ("out", torch.nn.functional.leaky_relu(
            at["in"].view(size["BATCH"], size["ROWS"], size["COLUMNS"])
            + at["bias"].view(size["ROWS"], size["COLUMNS"]), 0.125)),
        "softmax": lambda: ("out", torch.softmax(
            at["in"].view(size["ROWS"], size["COLUMNS"]), 1)),
        "layer_norm": lambda: ("out", torch.nn.functional.layer_norm(
            at["in"].view(size["ROWS"], size["COLUMNS"]), (size["COLUMNS"],), at["weight"],
            at["bias"])),
        "product": lambda: ("c", torch.bmm(at["a"].view(size["BATCH"], size["M"], size["K"]),
                                           at["b"].view(size["BATCH"], size["K"], size["N"]))),
        "scores": lambda: ("scores", torch.matmul(
            at["query"].view(size["BATCH"], size["HEADS"] // size["GROUP"], size["GROUP"], 128),
            at["keys"].view(size["BATCH"], size["HEADS"] // size["GROUP"], size["KEYS"],
                            128).transpose(2, 3))),
        "matvec": lambda: ("out", torch.matmul(at["in"].view(size["BATCH"], size["K"]),
                                               at["weights"].view(size["M"], size["K"]).t())),
        "conv": lambda: ("out", torch.nn.functional.conv2d(
            at["in"].view(size["BATCH"], size["H"] + 2, size["W"] + 2,
                          size["C"]).permute(0, 3, 1, 2),
            at["weights"].view(3, 3, size["C"], size["F"]).permute(3, 2, 0, 1))
            .permute(0, 2, 3, 1)),
    }
    return calls[case.kernel.library]


def compare(case: suite.Case, folder: pathlib.Path, turns: int, driver: Driver) -> dict:
    """One row."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    at = {}
    for name in case.kernel.buffers:
        told = case.buffer(name)
        count = told["bytes"] // suite.BYTES[told["type"]]
        dtype = TYPES[told["type"]]
        at[name] = torch.rand(count, device="cuda", dtype=dtype) \
            if dtype.is_floating_point and told["direction"] == "in" \
            else torch.zeros(count, device="cuda", dtype=dtype)
    flush = torch.empty(1 << 28, device="cuda", dtype=torch.int8)
    runs = {}
    for variant in job["variants"]:
        if variant["name"] not in ("original", "planner"):
            continue
        path = folder / variant["file"]
        functions = [driver.load(path, launch["kernel"]) for launch in job["launches"]]
        runs[variant["name"]] = lambda functions=functions: [
            driver.launch(*pair, at) for pair in zip(functions, job["launches"])]
    theirs = library(case, at)
    runs["library"] = theirs
    errors = {}
    for name in runs.keys() - {"library"}:
        runs[name]()
        where, wanted = theirs()
        got = at[where].view(-1)[:1 << 24]
        want = wanted.reshape(-1)[:1 << 24]
        errors[name] = float((got - want).abs().max() / want.abs().max())
    times = {name: [] for name in runs}
    for _ in range(turns + 3):
        for name, run in runs.items():
            times[name].append(time_us(run, flush))
    return {"schema": "swizzle-suite-library/1", "case": case.name, "kernel": case.kernel.name,
            "sizes": case.sizes, "library": f"PyTorch {torch.__version__}",
            "device": torch.cuda.get_device_name(), "error": errors,
            "median_us": {name: statistics.median(all[3:]) for name, all in times.items()}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--kernel", nargs="*", help="only these")
    options = parser.parse_args()
    driver = Driver()
    kernels = {kernel.name: kernel for kernel in suite.load()}
    for path in sorted(options.bundles.glob("*/case.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        case = suite.Case(kernels[told["kernel"]], told["sizes"])
        if not case.kernel.library or told["kernel"] not in (options.kernel or [told["kernel"]]):
            continue
        for name in ("original", "planner"):
            if (path.parent / f"{name}.ptx").exists():
                building.assemble(path.parent / f"{name}.ptx")
        row = compare(case, path.parent, options.turns, driver)
        line = json.dumps(row)
        print(line, flush=True)
        with options.out.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main())
