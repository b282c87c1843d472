#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs the kernels of pace.cu on a GPU.

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda pace.cu -o pace.ptx
    pace.py pace.ptx lives --out lives.jsonl
    pace.py pace.ptx reads --out reads.jsonl
    ncu --metrics lts__t_sectors_lookup_hit.sum,... pace.py pace.ptx reuse --units 132

`lives`: when each workgroup of a product and of a convolution began and ended, in ns, and on
which compute unit. `reads`: of workgroups that only read, from the L2 or from memory, each its
own slice or all the same, and wait for all of their waves or not: how long lives are, by how
many workgroups of the unit are older. `reuse`: one launch for each number of megabytes and way
to share them; the counters tell how much of a slice that comes again is still in the cache.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import pathlib
import struct

import memory

GRIDS = {"pace_product": (64, 64, 1), "pace_convolution": (2, 98, 32)}
SIZES = {"pace_product": (4 * 8192 * 4096, 4 * 8192 * 4096, 4 * 8192 * 8192),
         "pace_convolution": (4 * 32 * 58 * 58 * 64, 4 * 9 * 64 * 256, 4 * 32 * 56 * 56 * 256)}
MEGABYTES = (16, 20, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 48, 52, 56, 64, 80)


def launch(gpu, kernel, grid, block, arguments):
    function = ctypes.c_void_p()
    gpu.call("cuModuleGetFunction", ctypes.byref(function), gpu.module, kernel.encode())
    values = [one if isinstance(one, ctypes.c_uint64) else ctypes.c_uint32(one)
              for one in arguments]
    pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    gpu.call("cuLaunchKernel", function, *grid, block, 1, 1, 0, None, pointers, None)
    registers = ctypes.c_int()
    gpu.call("cuFuncGetAttribute", ctypes.byref(registers), 4, function)
    return registers.value


def read_lives(gpu, noted, count):
    """[begin, end, unit] by workgroup, in ns."""
    gpu.call("cuCtxSynchronize")
    raw = ctypes.create_string_buffer(24 * count)
    gpu.call("cuMemcpyDtoH_v2", raw, noted, ctypes.c_size_t(24 * count))
    return [struct.unpack_from("<QQII", raw, 24 * at)[:3] for at in range(count)]


def lives(gpu, out):
    with out.open("w", encoding="utf-8") as file:
        for kernel, grid in GRIDS.items():
            buffers = [gpu.allocate(size) for size in SIZES[kernel]]
            count = grid[0] * grid[1] * grid[2]
            noted = gpu.allocate(24 * count)
            for turn in range(2):
                registers = launch(gpu, kernel, grid, 256, [*buffers, noted])
                rows = read_lives(gpu, noted, count)
                first = min(begin for begin, _, _ in rows)
                file.write(json.dumps({
                    "kernel": kernel, "turn": turn, "registers": registers,
                    "lives": [[begin - first, end - first, unit]
                              for begin, end, unit in rows]}) + "\n")


def by_age(rows):
    """The mean life by the number of workgroups of the unit that are older, in us: of those
    that started first, and of all later ones."""
    units = {}
    for workgroup, (begin, end, unit) in enumerate(rows):
        units.setdefault(unit, []).append((begin, workgroup, end))
    first, later = {}, {}
    for lives_of_unit in units.values():
        started = min(lives_of_unit)[0]
        lives_of_unit.sort(key=lambda life: (life[0] if life[0] > started + 2000 else 0, life[1]))
        for place, (begin, _, end) in enumerate(lives_of_unit):
            older = sum(other[2] > begin for other in lives_of_unit[:place])
            (first if begin <= started + 2000 else later).setdefault(older, []).append(end - begin)
    return [{older: [round(sum(of) / len(of) / 1000, 1), len(of)]
             for older, of in sorted(which.items())} for which in (first, later)]


def reads(gpu, units, out):
    """Eight workgroups a unit, six times as many as run at a time, 512 KiB each."""
    count, numbers = units * 8 * 6, 1 << 17
    source, sink = gpu.allocate(4 * numbers * count), gpu.allocate(4 * count)
    noted = gpu.allocate(24 * count)
    with out.open("w", encoding="utf-8") as file:
        for kernel in ("pace_read", "pace_read_together"):
            for slices in (1, 32, count):  # one for all, what the L2 has, one for each
                for turn in range(2):
                    registers = launch(gpu, kernel, (count, 1, 1), 256,
                                       [source, sink, slices, numbers, noted])
                    rows = read_lives(gpu, noted, count)
                    first, later = by_age(rows)
                    file.write(json.dumps({
                        "kernel": kernel, "turn": turn, "registers": registers, "slices": slices,
                        "us": (max(row[1] for row in rows) - min(row[0] for row in rows)) / 1000,
                        "first": first, "later": later}) + "\n")


def reuse(gpu, units, passes):
    source, sink = gpu.allocate(1 << 27), gpu.allocate(1 << 20)
    for shared in (1, 2):
        slices = units // shared
        for megabytes in MEGABYTES:
            lines = megabytes * (1 << 20) // 128 // slices
            launch(gpu, "reuse", (units, 1, 1), 1024, [source, sink, lines, slices, passes])
            gpu.call("cuCtxSynchronize")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("what", choices=("lives", "reads", "reuse"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("lives.jsonl"))
    parser.add_argument("--units", type=int, default=132)
    parser.add_argument("--passes", type=int, default=10)
    options = parser.parse_args()
    gpu = memory.Gpu(options.ptx)
    if options.what == "lives":
        lives(gpu, options.out)
    elif options.what == "reads":
        reads(gpu, options.units, options.out)
    else:
        reuse(gpu, options.units, options.passes)


if __name__ == "__main__":
    main()
