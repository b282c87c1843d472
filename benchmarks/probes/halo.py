#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times the kernels of halo.cu on a GPU: what do neighbours cost that are read at once?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda halo.cu -o halo.ptx
    halo.py halo.ptx --out rows.json

Each row: what is read besides the tile (x, y, z) and whether it is written (w), and for each order
of workgroups, outermost axis first as in the suite, the median of five in microseconds.
"""
from __future__ import annotations

import argparse
import pathlib

import memory
import merge
import pages

BITS = {"x": 6, "y": 10, "z": 6}  #: of the tile's coordinates
ORDERS = ("z, y, x", "y/32, z, y, x", "y/4, z, y, x", "y, z, x", "z/4, y, z, x", "y, x, z",
          "z/4, y, x, z", "y/16, z, x, y", "z, x, y", "z, y/4, x, y", "z, y/64, x, y", "x, z, y",
          "x, y, z", "x, y/16, z, y")
WHAT = {1: "x", 2: "y", 4: "z", 8: "w"}
KERNELS = (0, 1, 2, 4, 7, 8, 9, 10, 12, 15)


def fields(order):
    """Where the bits of x, y and z lie in the id: for y and z the lower ones, their number, the
    others. An axis is split once at most, `y/32` first and `y` within it."""
    axes = order.split(", ")
    inner = {axis[0]: int(axis[2:]).bit_length() - 1 for axis in axes if "/" in axis}
    low, high, at = {}, dict.fromkeys(BITS, 0), 0
    for axis in reversed(axes):
        within = inner.get(axis[0], BITS[axis[0]])
        if "/" in axis:
            high[axis[0]], bits = at, BITS[axis[0]] - within
        else:
            low[axis], bits = at, within
        at += bits
    return [low["x"], *(value for axis in "yz" for value in
                        (low[axis], inner.get(axis, BITS[axis]), high[axis]))]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("halo.json"))
    parser.add_argument("--device", default="", help="what was timed, for the file")
    options = parser.parse_args()
    gpu = memory.Gpu(options.ptx)
    buffers = [gpu.allocate(66 * 4098 * 4160 * 4) for _ in range(2)]
    rows = [{"what": "".join(name for bit, name in WHAT.items() if kernel & bit),
             "us": {order: pages.median_us(gpu, f"halo_{kernel}", 1 << sum(BITS.values()),
                                           [*buffers, *fields(order)]) for order in ORDERS}}
            for kernel in KERNELS]
    merge.write(options.out, {"device": options.device}, rows)


if __name__ == "__main__":
    main()
