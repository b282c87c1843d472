# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs products whose matrices are copied by tensor maps on a GPU, each in its own order and
in that of swizzle.triton.

    tensor_maps.py [--out rows.jsonl]

The maps come from the host ("passed") or are made by the kernel ("made"). A row says whether
the product is the same to the bit, the decision, and median times in microseconds: in the
kernel's own order, as decided, in its own order again, and of torch.matmul. Needs PyTorch,
Triton, and a GPU that has such maps.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "python")]

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.testing import do_bench  # noqa: E402
from triton.tools.tensor_descriptor import TensorDescriptor  # noqa: E402

import swizzle.triton  # noqa: E402

#: Rows and columns of the product, and what is summed over.
SIZES = [(8192, 8192, 1024), (8192, 8192, 4096), (16384, 16384, 1024), (16384, 16384, 4096),
         (32768, 8192, 1024)]
#: Rows, columns and depth of a tile, warps, stages.
TILES = [(128, 256, 64, 8, 3), (128, 128, 64, 4, 3)]


@triton.jit
def tile_of(ad, bd, cd, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(ad.load([row, k]), bd.load([k, column]), total)
    cd.store([row, column], total.to(tl.float16))


@triton.jit
def passed(ad, bd, cd, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tile_of(ad, bd, cd, K, BM, BN, BK)


@triton.jit
def made(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tile_of(tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK]),
            tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN]),
            tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN]), K, BM, BN, BK)


def launcher(kind, a, b, c, tile):
    """A function that computes c = a b."""
    (rows, depth), columns = a.shape, b.shape[1]
    high, wide, deep, warps, stages = tile
    grid = rows // high, columns // wide
    if kind == "made":
        kernel, arguments = made, (a, b, c, rows, columns, depth)
    else:
        kernel = passed
        arguments = (TensorDescriptor(a, [rows, depth], [depth, 1], [high, deep]),
                     TensorDescriptor(b, [depth, columns], [columns, 1], [deep, wide]),
                     TensorDescriptor(c, [rows, columns], [columns, 1], [high, wide]), depth)
    return lambda: kernel[grid](*arguments, BM=high, BN=wide, BK=deep, num_warps=warps,
                                num_stages=stages)


def microseconds(function):
    function()
    return do_bench(function, warmup=100, rep=300, return_mode="median") * 1e3


def fresh(run, c):
    """The time of `run` as it is launched from now on, and what it writes."""
    passed.device_caches.clear()
    made.device_caches.clear()
    c.zero_()
    time = microseconds(run)
    return time, c.clone()


def measure(kind, a, b, c, tile):
    run = launcher(kind, a, b, c, tile)
    own, expected = fresh(run, c)
    with tempfile.TemporaryDirectory() as folder:
        swizzle.triton.install(cache=folder)
        decided, result = fresh(run, c)
        said = swizzle.triton.report()[-1]
        swizzle.triton.uninstall()
    again, _ = fresh(run, c)
    return {"maps": kind, "rows": a.shape[0], "columns": b.shape[1], "depth": a.shape[1],
            "tile": list(tile[:3]), "same": bool((result == expected).all()),
            "outcome": said.outcome, "code": said.reason_code, "formula": said.formula,
            "modelled": said.modelled, "accesses": said.accesses,
            "simulated_gain": said.simulated_speed_up, "own_us": own, "decided_us": decided,
            "own_again_us": again}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, help="where the rows go; else they are printed")
    options = parser.parse_args()
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    about = {"device": torch.cuda.get_device_name(), "torch": torch.__version__,
             "triton": triton.__version__}
    out = options.out.open("w") if options.out else sys.stdout
    for rows, columns, depth in SIZES:
        a, b, c = (torch.randn(shape, device="cuda", dtype=torch.float16)
                   for shape in ((rows, depth), (depth, columns), (rows, columns)))
        library = microseconds(lambda: torch.matmul(a, b))
        for kind in ("passed", "made"):
            for tile in TILES:
                row = measure(kind, a, b, c, tile) | {"library_us": library} | about
                print(json.dumps(row), file=out, flush=True)


if __name__ == "__main__":
    main()
