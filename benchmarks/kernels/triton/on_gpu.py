# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs the kernels of this folder on a GPU, each with and without swizzle.triton.

    on_gpu.py [--planning measure] [--chip h200] [--kernel product ...] [--out rows.jsonl]
    on_gpu.py --model      a small transformer through torch.compile, and what a launch costs

A row says whether all buffers are the same to the bit, the decision, and median times: in
the kernel's own order, as decided, and in its own order again. Needs PyTorch and Triton.
"""
from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "python")]

import torch  # noqa: E402
from cases import CASES  # noqa: E402
from triton.testing import do_bench  # noqa: E402

import swizzle.triton  # noqa: E402

TYPES = {"*fp16": torch.float16, "*fp32": torch.float32, "*i8": torch.int8, "*i32": torch.int32}
ELEMENTS = 1 << 26  #: of each buffer: what the largest case needs


def kernel_of(case):
    return getattr(importlib.import_module(f"kernels.{case.file}"), case.kernel)


def make_arguments(case):
    """What is passed, without constants."""
    arguments = []
    for word, kind in zip(case.signature.split(), case.arguments().values()):
        if kind.startswith("*"):
            dtype = TYPES[kind]
            arguments.append(
                torch.rand(ELEMENTS, device="cuda").to(dtype) if dtype.is_floating_point
                else torch.randint(0, 15, (ELEMENTS,), device="cuda", dtype=dtype))
        elif kind != "constexpr":
            arguments.append(0.125 if kind.startswith("fp") else int(word.split("=")[1]))
    return arguments


def make_launch(case, grid=None):
    """The buffers of a case, and a function that launches it."""
    kernel, arguments = kernel_of(case), make_arguments(case)
    return ([argument for argument in arguments if torch.is_tensor(argument)],
            lambda: kernel[grid or case.grid](*arguments, **case.constants(),
                                              num_warps=case.warps))


def median_us(run):
    return 1000 * do_bench(run, warmup=20, rep=60, return_mode="median")


def compare(case, options):
    """One row."""
    buffers, run = make_launch(case)
    before = [buffer.clone() for buffer in buffers]
    with swizzle.triton.disabled():
        run()
        wanted = [buffer.clone() for buffer in buffers]
        own = median_us(run)
    for buffer, old in zip(buffers, before):
        buffer.copy_(old)
    swizzle.triton.install(chip=options.chip, planning=options.planning, timeout=20)
    begin = time.perf_counter()
    run()
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    same = all(torch.equal(buffer.view(torch.uint8), want.view(torch.uint8))
               for buffer, want in zip(buffers, wanted))
    for _ in range(40 if options.planning == "measure" else 0):
        run()
    decided = median_us(run)
    with swizzle.triton.disabled():
        again = median_us(run)
    row = swizzle.triton.report()[-1]
    return {"kernel": case.kernel, "grid": case.grid, "planning": options.planning, "same": same,
            "outcome": row.outcome, "code": row.reason_code, "formula": row.formula,
            "own_us": own, "decided_us": decided, "own_again_us": again,
            "first_launch_s": seconds, "modelled": row.modelled, "accesses": row.accesses}


def launch_cost(options, launches=3000):
    """Microseconds of host time of a launch of four programs, which take less than that."""
    _, run = make_launch(next(case for case in CASES if case.kernel == "add"), grid=(4, 1, 1))

    def cost():
        run()
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(launches):
            run()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) / launches * 1e6

    costs = {"before": cost()}
    swizzle.triton.install(chip=options.chip, planning=options.planning)
    costs["installed"] = cost()
    swizzle.triton.uninstall()
    costs["after"] = cost()
    return {"launch_us": costs}


class Block(torch.nn.Module):
    """One block of a transformer."""

    def __init__(self, width=1024, heads=16):
        super().__init__()
        self.heads = heads
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(width) for _ in range(2))
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, rows, width = x.shape
        q, k, v = (self.qkv(self.norms[0](x))
                   .view(batch, rows, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, rows, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norms[1](x))))


def compare_model(options):
    model = torch.nn.Sequential(*(Block() for _ in range(4))).cuda().half().eval()
    x = torch.randn(8, 1024, 1024, device="cuda", dtype=torch.half)
    with torch.no_grad():
        plain = torch.compile(model)
        wanted, own = plain(x), median_us(lambda: plain(x))
        torch._dynamo.reset()
        swizzle.triton.install(chip=options.chip, planning=options.planning, timeout=20)
        ours = torch.compile(model)
        same, decided = torch.equal(ours(x), wanted), median_us(lambda: ours(x))
    return {"model": "4 transformer blocks", "same": same, "own_us": own, "decided_us": decided,
            "report": [{"kernel": row.kernel, "grid": row.grid, "outcome": row.outcome,
                        "code": row.reason_code} for row in swizzle.triton.report()]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planning", default="planner", choices=["planner", "measure"])
    parser.add_argument("--chip")
    parser.add_argument("--kernel", nargs="*")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    torch.manual_seed(1)
    work = [launch_cost, compare_model] if options.model else [
        lambda options, case=case: compare(case, options) for case in CASES
        if not (case.waits or case.indirect) and case.kernel in (options.kernel or [case.kernel])]
    for one in work:
        line = json.dumps(one(options))
        print(line, flush=True)
        if options.out:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
