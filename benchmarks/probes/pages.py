#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times the kernels of pages.cu on a GPU: what does it cost to read from many pages at a time?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda pages.cu -o pages.ptx
    pages.py pages.ptx --out rows.json

Each row: what is done by how many workgroups with how many pages of 2 MiB, and the median of five
in microseconds.
"""
from __future__ import annotations

import argparse
import ctypes
import pathlib
import statistics

import memory
import merge

PIECE = 4096
TOTAL = 1 << 31  #: bytes of a stream


def launches(units):
    for pages in (1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 1024,
                  2048, 4096, 8192):
        for workgroups in (1, units):
            yield "chase", workgroups, [pages, 1, 4 * max(pages, 256), workgroups]
    for per_unit in (1, 8):
        workgroups = units * per_unit
        for pages in (1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 256, 512, 1024,
                      2048):
            yield "cached", workgroups, [pages, max(1, min(64, 2048 // pages)), 1024, workgroups]
        for pages in (1, 2, 4, 8, 16, 32, 64):
            if pages * workgroups <= 12288:
                yield "cached", workgroups, [pages, 1, 1024, 1]
        for group in (2, 4, 8):
            if group <= per_unit:
                continue
            for pages in (1, 2, 4, 8, 16):
                yield "cached", workgroups, [pages, 1, 1024, group]
    for what in ("stream", "copy"):
        for stride in (4, 16, 64, 256, 512, 2048, 8192):
            for power in range(0, 12, 1):
                if stride << power <= TOTAL // PIECE:
                    yield what, TOTAL // PIECE, [1 << power, stride, 0, 0]


def median_us(gpu, kernel, workgroups, arguments):
    """Of five, the first one apart."""
    times, elapsed = [], ctypes.c_float()
    for _ in range(6):
        gpu.call("cuEventRecord", gpu.events[0], None)
        gpu.launch(kernel, workgroups, arguments)
        gpu.call("cuEventRecord", gpu.events[1], None)
        gpu.call("cuEventSynchronize", gpu.events[1])
        gpu.call("cuEventElapsedTime", ctypes.byref(elapsed), *gpu.events)
        times.append(elapsed.value * 1e3)
    return round(statistics.median(times[1:]), 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("pages.json"))
    parser.add_argument("--units", type=int, default=132)
    parser.add_argument("--device", default="", help="what was timed, for the file")
    options = parser.parse_args()
    gpu = memory.Gpu(options.ptx)
    buffers = gpu.allocate(12288 << 21), gpu.allocate(TOTAL)
    rows = [{"what": what, "workgroups": workgroups, "arguments": arguments,
             "us": median_us(gpu, f"pages_{what}", workgroups, [*buffers, *arguments])}
            for what, workgroups, arguments in launches(options.units)]
    merge.write(options.out, {"device": options.device, "units": options.units}, rows)


if __name__ == "__main__":
    main()
