#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs the kernels of fabric.cu on a GPU: what does the last-level cache hand out?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda fabric.cu -o fabric.ptx
    fabric.py fabric.ptx --out rows.json
    ncu --csv --cache-control none --metrics lts__t_sectors_srcunit_ltcfabric.sum,... \\
        fabric.py fabric.ptx --once > counts.csv
    fabric.py --join counts.csv --device 'NVIDIA H100' --out rows.json

Each row: what is done with how large a buffer by how many workgroups, how many of which share
their pieces, and the bytes that threads read and wrote in a second, in TB. `--join` adds what ncu
counted of one launch for each.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import pathlib
import statistics

import memory
import merge

PIECE, STEPS = 16384, 400


def launches(units):
    for what in ("read", "write", "both"):
        for megabytes in (4, 16, 24, 28, 32, 40) if what == "read" else (4, 16):
            for per_unit in (2, 4, 8):
                for share in (1, 2, 4, 16) if what == "read" else (1,):
                    yield {"what": what, "MB": megabytes, "workgroups": units * per_unit,
                           "share": share}


def arguments(row, buffers):
    return [*buffers, row["MB"] * 2**20 // PIECE, STEPS, row["share"]]


def median_us(gpu, row, buffers):
    """Of five, the first one apart."""
    times, elapsed = [], ctypes.c_float()
    for _ in range(6):
        gpu.call("cuEventRecord", gpu.events[0], None)
        gpu.launch(f"fabric_{row['what']}", row["workgroups"], arguments(row, buffers))
        gpu.call("cuEventRecord", gpu.events[1], None)
        gpu.call("cuEventSynchronize", gpu.events[1])
        gpu.call("cuEventElapsedTime", ctypes.byref(elapsed), *gpu.events)
        times.append(elapsed.value * 1e3)
    return statistics.median(times[1:])


def run(options):
    gpu = memory.Gpu(options.ptx)
    buffers = gpu.allocate(1 << 26), gpu.allocate(1 << 20)
    rows = list(launches(options.units))
    for row in rows:
        if options.once:
            gpu.launch(f"fabric_{row['what']}", row["workgroups"], arguments(row, buffers))
            gpu.call("cuCtxSynchronize")
            continue
        moved = row["workgroups"] * STEPS * PIECE * (2 if row["what"] == "both" else 1)
        row["TB_per_s"] = round(moved / median_us(gpu, row, buffers) / 1e6, 2)
    return rows


def join(options):
    found = merge.read_counts(options.join)
    rows = json.loads(options.out.read_text(encoding="utf-8"))["rows"]
    return [row | found.get(at, {}) for at, row in enumerate(rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path, nargs="?")
    parser.add_argument("--once", action="store_true", help="one launch for each row, for ncu")
    parser.add_argument("--join", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fabric.json"))
    parser.add_argument("--units", type=int, default=132)
    parser.add_argument("--device", default="", help="what was timed, for the file")
    options = parser.parse_args()
    if not options.join and not options.ptx:
        parser.error("give the kernels to run, or --join")
    rows = join(options) if options.join else run(options)
    if not options.once:
        head = {"device": options.device, "units": options.units}
        merge.write(options.out, head, rows)


if __name__ == "__main__":
    main()
