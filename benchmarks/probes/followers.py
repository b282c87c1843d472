#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs the kernels of followers.cu on a GPU: where does the next workgroup start?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda followers.cu -o followers.ptx
    followers.py followers.ptx --out rows.json

A row for each way to fill the chip: workgroups of a compute unit, how long they live and how much
that varies, both in nanoseconds. Of the second half of a launch, when nobody started with the
others, it says how often a workgroup starts in the cluster of compute units (GPC) of the one 1, 2,
3, 4, 8 and 16 before, and on the same unit. Clusters are found by launches in clusters of eight.
"""
from __future__ import annotations

import argparse
import ctypes
import pathlib

import memory
import merge

APART = (1, 2, 3, 4, 8, 16)
GENERATIONS = 24
#: Of CUfunction_attribute, and of CUlaunchAttributeID.
MAX_DYNAMIC_SHARED_SIZE_BYTES, CLUSTER_DIMENSION = 8, 4


class Gpu(memory.Gpu):
    """Launches with workgroup memory, and in clusters."""

    def start(self, kernel, workgroups, threads, dynamic, arguments, cluster=1):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic)
        values = [one if isinstance(one, ctypes.c_uint64) else ctypes.c_uint32(one)
                  for one in arguments]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        # CUlaunchConfig, and one CUlaunchAttribute: an id, and 64 bytes of its value.
        attribute = (ctypes.c_uint32 * 18)(CLUSTER_DIMENSION, 0, cluster, 1, 1)
        config = Config(workgroups, 1, 1, threads, 1, 1, dynamic, None,
                        ctypes.addressof(attribute), int(cluster > 1))
        self.call("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)
        self.call("cuCtxSynchronize")

    def notes(self, buffer, workgroups):
        """Units, and when workgroups began."""
        host = (ctypes.c_uint32 * (2 * workgroups))()
        self.call("cuMemcpyDtoH_v2", host, buffer, ctypes.c_size_t(ctypes.sizeof(host)))
        return host[0::2], host[1::2]


class Config(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("gx", "gy", "gz", "bx", "by", "bz",
                                                     "dynamic")] + \
        [("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint32)]


def clusters(gpu, buffer, units):
    """By unit, a number of its cluster. Units that no cluster of eight used are one."""
    number = list(range(units))
    for _ in range(4):
        gpu.start("cluster", 2048, 64, 0, [buffer, 20000, 0], cluster=8)
        ran, _ = gpu.notes(buffer, 2048)
        for at in range(0, 2048, 8):
            together = {number[unit] for unit in ran[at:at + 8]}
            number = [min(together) if one in together else one for one in number]
    alone = [unit for unit in range(units) if number.count(number[unit]) == 1]
    return [alone[0] if unit in alone else number[unit] for unit in range(units)]


def follow(gpu, buffer, cluster, per_unit, life, more):
    workgroups = len(cluster) * per_unit * GENERATIONS
    # Threads, then workgroup memory, fill a unit.
    threads = min(1024, 2048 // per_unit)
    dynamic = 0 if per_unit > 1 else 200 * 1024
    gpu.start("follow", workgroups, threads, dynamic, [buffer, life, more])
    ran, began = gpu.notes(buffer, workgroups)
    later = range(workgroups // 2, workgroups - max(APART))
    row = {"workgroups_per_unit": per_unit, "life_ns": life, "more_ns": more}
    for apart in APART:
        row[f"same_cluster_{apart}"] = round(sum(
            cluster[ran[at]] == cluster[ran[at + apart]] for at in later) / len(later), 3)
    row["same_unit_1"] = round(sum(ran[at] == ran[at + 1] for at in later) / len(later), 4)
    row["next_after_ns"] = round(((began[later[-1]] - began[later[0]]) % 2**32) / len(later), 2)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("followers.json"))
    parser.add_argument("--units", type=int, default=132)
    parser.add_argument("--device", default="", help="what was asked, for the file")
    options = parser.parse_args()
    gpu = Gpu(options.ptx)
    buffer = gpu.allocate(8 * options.units * 32 * GENERATIONS)
    cluster = clusters(gpu, buffer, options.units)
    rows = [follow(gpu, buffer, cluster, per_unit, life, more)
            for per_unit in (1, 2, 4, 8, 16, 32)
            for life in (1000, 2000, 4000, 16000, 64000)
            for more in (0, life // 8, life // 2, life)]
    sizes = sorted(cluster.count(one) for one in set(cluster))
    merge.write(options.out, {"device": options.device, "units": options.units,
                              "clusters": sizes}, rows)


if __name__ == "__main__":
    main()
