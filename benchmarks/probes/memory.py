#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Times the kernels of memory.cu on a GPU: tiles that are read, written and copied in orders.

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda memory.cu -o memory.ptx
    memory.py memory.ptx --out rows.jsonl
    ncu --metrics l1tex__m_l1tex2xbar_write_sectors.sum,... memory.py memory.ptx --once stores_4

Medians of seven in microseconds, caches cleared before each. What came of it stands with the
constants of the chip, in hardware/h200.json. Needs CUDA's driver alone.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import pathlib
import statistics

TILES = {32: 32, 64: 16, 128: 8, 256: 4}
SIDES = ((16384, 16384), (8192, 32768), (20480, 24576))
NUMBERS = 1 << 24  #: that a kernel of stores writes


class Gpu:
    """The few functions of CUDA's driver that are needed."""

    threads = 256  #: of a workgroup

    def __init__(self, ptx: pathlib.Path):
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.module, self.events = ctypes.c_void_p(), [ctypes.c_void_p(), ctypes.c_void_p()]
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
        self.call("cuModuleLoadData", ctypes.byref(self.module), ptx.read_bytes() + b"\0")
        for event in self.events:
            self.call("cuEventCreate", ctypes.byref(event), 0)

    def call(self, name: str, *arguments: object) -> None:
        if code := getattr(self.library, name)(*arguments):
            raise RuntimeError(f"{name} says {code}")

    def allocate(self, size: int) -> ctypes.c_uint64:
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        self.call("cuMemsetD8_v2", pointer, 0, ctypes.c_size_t(size))
        return pointer

    def launch(self, kernel: str, workgroups: int, arguments: list) -> None:
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        values = [one if isinstance(one, ctypes.c_uint64) else ctypes.c_uint32(one)
                  for one in arguments]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self.call("cuLaunchKernel", function, workgroups, 1, 1, self.threads, 1, 1, 0,
                  None, pointers, None)

    def median_us(self, clear: ctypes.c_uint64, kernel: str, workgroups: int,
                  arguments: list) -> float:
        times, elapsed = [], ctypes.c_float()
        for turn in range(8):
            self.call("cuMemsetD8_v2", clear, turn, ctypes.c_size_t(1 << 27))
            self.call("cuEventRecord", self.events[0], None)
            self.launch(kernel, workgroups, arguments)
            self.call("cuEventRecord", self.events[1], None)
            self.call("cuEventSynchronize", self.events[1])
            self.call("cuEventElapsedTime", ctypes.byref(elapsed), *self.events)
            times.append(elapsed.value * 1e3)
        return statistics.median(times[1:])


def orders(columns: int) -> list[tuple[int, int]]:
    """Modes and pieces."""
    return [(0, piece) for piece in (1, 2, 4, 8, 16, 32, 64, 128, columns)] + \
        [(1, piece) for piece in (1, 2, 4, 8, 16, 32, 64, 128)]


def time_tiles(gpu: Gpu, out: pathlib.Path) -> None:
    clear = gpu.allocate(1 << 27)
    buffers = [gpu.allocate(4 * 20480 * 24576) for _ in range(2)]
    with out.open("w", encoding="utf-8") as file:
        for wide, high in TILES.items():
            for width, height in SIDES if wide == 32 else SIDES[:1]:
                columns, rows = width // wide, height // high
                for mode, piece in orders(columns):
                    row = {"tile": [wide, high], "size": [width, height], "mode": mode,
                           "piece": piece}
                    for what in ("read", "write", "copy"):
                        row[f"{what}_us"] = round(gpu.median_us(
                            clear, f"{what}_{wide}", columns * rows,
                            [*buffers, columns, rows, piece, mode]), 2)
                    file.write(json.dumps(row) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("rows.jsonl"))
    parser.add_argument("--once", metavar="KERNEL", help="launch this one of stores, for ncu")
    options = parser.parse_args()
    gpu = Gpu(options.ptx)
    if options.once:
        count = int(options.once.split("_")[1])
        gpu.launch(options.once, NUMBERS // 256 // count,
                   [gpu.allocate(4 * NUMBERS) for _ in range(2)])
        gpu.call("cuCtxSynchronize")
    else:
        time_tiles(gpu, options.out)


if __name__ == "__main__":
    main()
