#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times the kernels of naive.cu on a GPU: what do orders change of a product that arithmetic and
the first-level cache bound?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda naive.cu -o naive.ptx
    naive.py naive.ptx --out rows.json

Each row: what is read (the left factor along its rows, the right one along its columns), and for
each order of the tiles (x: along the rows of tiles of the left factor, y: along the columns of
the right one; outermost loop first), the median of five in microseconds.
"""
from __future__ import annotations

import argparse
import pathlib

import memory
import merge
import pages

BITS = 7  #: of each of the tile's coordinates
ORDERS = ("y, x", "x, y", "y/2, x, y", "y/4, x, y", "y/8, x, y", "y/16, x, y", "y/32, x, y",
          "x/2, y, x", "x/4, y, x", "x/8, y, x", "x/16, y, x", "x/32, y, x", "y/8, x/8, y, x",
          "y/16, x/8, y, x", "x/16, y/8, x, y", "x/16, y/16, x, y")
WHAT = {1: "left", 2: "right"}


def fields(order):
    """Of x and of y: where the lower bits lie in the id, their number, where the others do."""
    axes = order.split(", ")
    inner = {axis[0]: int(axis[2:]).bit_length() - 1 for axis in axes if "/" in axis}
    low, high, at = {}, {"x": 0, "y": 0}, 0
    for axis in reversed(axes):
        within = inner.get(axis[0], BITS)
        (high if "/" in axis else low)[axis[0]] = at
        at += BITS - within if "/" in axis else within
    return [value for axis in "xy" for value in (low[axis], inner.get(axis, BITS), high[axis])]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("naive.json"))
    parser.add_argument("--device", default="", help="what was timed, for the file")
    options = parser.parse_args()
    gpu = memory.Gpu(options.ptx)
    gpu.threads = 1024
    buffers = [gpu.allocate(4096 * 4096 * 4) for _ in range(3)]
    rows = [{"what": "+".join(name for bit, name in WHAT.items() if kernel & bit),
             "us": {order: pages.median_us(gpu, f"naive_{kernel}", 1 << 2 * BITS,
                                           [*buffers, *fields(order)]) for order in ORDERS}}
            for kernel in (1, 2, 3)]
    merge.write(options.out, {"device": options.device}, rows)


if __name__ == "__main__":
    main()
