#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""Runs the kernels of merge.cu on a GPU: whose reads of one line reach the L2 once?

    clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only -O2 -S \\
        -Xclang -target-feature -Xclang +ptx80 -I ../kernels/hip-cuda merge.cu -o merge.ptx
    ncu --csv --cache-control none --metrics lts__t_sectors_srcunit_tex_op_read.sum,... \\
        merge.py merge.ptx --cluster 2,3,18,... > counts.csv
    merge.py --join counts.csv --cluster 2,3,18,... --device 'NVIDIA H100' --out merge.json

One launch for each way to share streams, in the order of `launches`: which units read the same
stream (all pairs at a distance, groups of neighbours, unit 0 and one other), how much later the
second of a pair begins, how many reads a warp has on their way, whether they come from memory.
A row has what was counted: sectors that the units got, and those that the L2 was asked for. Which
units are one cluster is seen in the rows "2 and ..." of a first run, which needs no `--cluster`.
"""
from __future__ import annotations

import argparse
import csv
import ctypes
import json
import pathlib
import struct

import memory

WARPS = 8
NONE = 0xFFFFFFFF
#: Lines of a stream that stays in the L2, and of one that does not; both are read once or more.
KEPT, LONG = 1024, 16384


def in_groups(units, size):
    return [unit // size for unit in range(units)]


def in_pairs(units, apart):
    """Units that are `apart` share a stream, as far as there are two."""
    streams = list(range(units))
    for unit in range(units - apart):
        if unit // apart % 2 == 0:
            streams[unit + apart] = unit
    return streams


def some(units, members, stream=0):
    return [stream if unit in members else NONE for unit in range(units)]


def launches(units, cluster):
    """Name, stream of each unit, clocks that odd ones come later, depth, gap, lines of a stream."""
    def row(name, streams, delay=0, depth=1, gap=0, lines=KEPT):
        return {"name": name, "streams": streams, "delay": delay, "depth": depth, "gap": gap,
                "lines": lines}

    rows = [row("warm", in_groups(units, 1)), row("alone", in_groups(units, 1))]
    rows += [row(f"apart {apart}", in_pairs(units, apart))
             for apart in (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 22, 32, 34, 36, 66)]
    rows += [row(f"groups of {size}", in_groups(units, size), depth=depth)
             for depth in (1, 4) for size in (1, 2, 3, 4, 6, 8, 12, 16, 18, 22, 33, 44, 66, 132)]
    for lines in (KEPT, LONG):
        for depth in (1, 4):
            rows += [row(f"later {delay}", in_groups(units, 2), delay, depth, 0, lines)
                     for delay in (0, 50, 100, 200, 300, 400, 600, 800, 1200, 1600, 2400, 4800)]
    rows += [row(f"gap {gap}, later {delay}", in_groups(units, 2), delay, 1, gap)
             for gap in (1000, 2000) for delay in (0, 100, 200, 300, 400, 600, 800)]
    rows += [row(f"groups of {size}", in_groups(units, size), depth=depth, lines=LONG)
             for depth in (1, 4) for size in (1, 2, 4, 8, 16, 33, 66, 132)]
    for lines in (KEPT, LONG):
        for depth in (1, 4):
            rows += [row(f"{count} of a cluster", some(units, cluster[:count], count), depth=depth,
                         lines=lines) for count in range(1, len(cluster) + 1)]
    for one in (0, 2):
        rows += [row(f"{one} and {other}", some(units, (one, other))) for other in range(units)]
        rows += [row(f"{one} and {other}", some(units, (one, other), other), lines=LONG)
                 for other in range(units)]
    return rows


def run(ptx, units, cluster):
    gpu = memory.Gpu(ptx)
    source, sink = gpu.allocate(units * LONG * 128), gpu.allocate(1 << 20)
    roles, arrived = gpu.allocate(8 * units), gpu.allocate(4)
    for row in launches(units, cluster):
        lines, depth = row["lines"], row["depth"]
        passes = 8 if lines == KEPT else 1
        steps = passes * lines // (4 * WARPS * depth)
        table = b"".join(struct.pack("<II", stream, row["delay"] if unit % 2 else 0)
                         for unit, stream in enumerate(row["streams"]))
        gpu.call("cuMemcpyHtoD_v2", roles, table, ctypes.c_size_t(len(table)))
        gpu.call("cuMemsetD8_v2", arrived, 0, ctypes.c_size_t(4))
        gpu.call("cuCtxSynchronize")
        gpu.launch(f"merge_{depth}", units,
                   [source, sink, roles, arrived, units, lines, steps, row["gap"]])
        gpu.call("cuCtxSynchronize")


def read_counts(path):
    """What ncu counted, by launch and metric."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith('"ID"'))
    found = {}
    for one in csv.DictReader(lines[first:]):
        found.setdefault(int(one["ID"]), {})[one["Metric Name"]] = \
            float(one["Metric Value"].replace(",", ""))
    return found


def join(options):
    found = read_counts(options.join)
    rows = [{name: value for name, value in row.items() if name != "streams"} | found.get(at, {})
            for at, row in enumerate(launches(options.units, options.cluster))]
    head = {"device": options.device, "units": options.units, "cluster": options.cluster}
    write(options.out, head, rows)


def write(path, head, rows):
    """A row a line."""
    text = ",\n".join("  " + json.dumps(row) for row in rows)
    path.write_text(json.dumps(head)[:-1] + f', "rows": [\n{text}\n]}}\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptx", type=pathlib.Path, nargs="?")
    parser.add_argument("--join", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("merge.json"))
    parser.add_argument("--units", type=int, default=132)
    parser.add_argument("--cluster", type=lambda text: [int(unit) for unit in text.split(",")],
                        default=[], help="units that are one cluster")
    parser.add_argument("--device", default="", help="what was counted on, for the file")
    options = parser.parse_args()
    if options.join:
        join(options)
    elif options.ptx:
        run(options.ptx, options.units, options.cluster)
    else:
        parser.error("give the kernels to run, or --join")


if __name__ == "__main__":
    main()
