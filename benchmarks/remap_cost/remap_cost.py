#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a remap costs in machine instructions.

usage: remap_cost.py --swizzle-opt=BUILD/bin/swizzle-opt --mlir-opt=mlir-opt-22

Compiles the same kernel with and without a remap and counts the instructions
that the remap added: on AMD GPUs scalar (`s_*`) and vector (`v_*`) ones without
waits, nops and loads, on NVIDIA GPUs those of the PTX. Prints a table, and
fails when a family of cases is beyond its bar. The kernel copies one piece of a
row per workgroup, so that all three ids end in address arithmetic; where the
grid is known the shape is too, as in any kernel with a known grid.
"""
from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

UNKNOWN = -1

# The shape of most remaps that libraries ship: every die gets a contiguous
# share, and inside it groups of G rows are walked column by column.
Extents = tuple[int, int, int]

DEAL = """i = {linear}
q, r = {count} // num_xcds, {count} % num_xcds
d, j = i % num_xcds, i // num_xcds
i = d * q + min(d, r) + j"""
GROUPS_2D = """w = {group} * gx
g = i // w
k = i % w
h = min(gy - g * {group}, {group})
return k // h, g * {group} + k % h"""
GROUPS_3D = """b, i = i // (gx * gy), i % (gx * gy)
w = {group} * gx
g = i // w
k = i % w
h = min(gy - g * {group}, {group})
return k // h, g * {group} + k % h, b"""


def deal_and_group(grid: Extents, group: int) -> str:
    """XCD-contiguous shares, then groups of `group` rows."""
    if grid[2] == 1:
        return "\n".join([DEAL.format(linear="y * gx + x", count="(gx * gy)"),
                          GROUPS_2D.format(group=group)])
    linear, count = "(z * gy + y) * gx + x", "(gx * gy * gz)"
    return "\n".join([DEAL.format(linear=linear, count=count),
                      GROUPS_3D.format(group=group)])


def curve(name: str) -> str:
    return (f"i = y * gx + x\n"
            f"return {name}_x(i, gx, gy), {name}_y(i, gx, gy)")


class Case(NamedTuple):
    """One remap to be counted."""
    family: str
    grid: Extents
    dies: int
    label: str
    formula: str


def power_of_two_cases(quick: bool) -> Iterator[Case]:
    sides = [2, 16, 64, 256] if quick else [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    for gx in sides:
        for gy in sides:
            for group in ([8] if quick else [4, 8]):
                grid = (gx, gy, 1)
                yield Case("powers of two", grid, 8, f"groups of {group}",
                           deal_and_group(grid, group))


def static_cases(quick: bool) -> Iterator[Case]:
    flat = [(96, 61), (61, 96), (7, 5), (1009, 3), (3, 1009), (127, 131),
            (100, 100), (33, 65), (1, 997), (997, 1), (320, 37), (2048, 511)]
    deep = [(13, 8, 5), (64, 61, 3), (7, 7, 7), (100, 48, 12), (5, 31, 32)]
    if quick:
        flat, deep = flat[:4], deep[:2]
    grids: list[Extents] = [(gx, gy, 1) for gx, gy in flat]
    for grid in grids + deep:
        for dies in ([8] if quick else [4, 6, 8]):
            for group in ([8] if quick else [3, 8, 16]):
                yield Case("any static grid", grid, dies, f"groups of {group}",
                           deal_and_group(grid, group))


def dynamic_cases(quick: bool) -> Iterator[Case]:
    for group in ([8] if quick else [2, 4, 8, 16]):
        for dies in ([8] if quick else [6, 8]):
            yield Case("dynamic grid", (UNKNOWN, UNKNOWN, 1), dies,
                       f"groups of {group}",
                       deal_and_group((UNKNOWN, UNKNOWN, 1), group))


def curve_cases() -> Iterator[Case]:
    for name in ("hilbert", "morton"):
        for grid in ((64, 64, 1), (96, 61, 1)):
            yield Case("curves", grid, 8, name, curve(name))


def all_cases(quick: bool) -> Iterator[Case]:
    yield Case("groups of 8 on 64x64", (64, 64, 1), 8, "groups of 8",
               deal_and_group((64, 64, 1), 8))
    yield from power_of_two_cases(quick)
    yield from static_cases(quick)
    yield from dynamic_cases(quick)
    if not quick:
        yield from curve_cases()


def upper_bound(extent: int) -> str:
    return "" if extent < 0 else f" upper_bound {extent}"


def kernel(name: str, case: Case, remapped: bool) -> str:
    """One kernel; `case.grid` is in its attributes where it is known."""
    x, y, z = case.grid
    dynamic = UNKNOWN in case.grid
    known = ("" if dynamic
             else f"known_grid_size = array<i32: {x}, {y}, {z}>, ")
    ids = ["%x", "%y", "%z"]
    remap = ""
    if remapped:
        ids = ["%r#0", "%r#1", "%r#2"]
        text = case.formula.replace("\n", "; ")
        hardware = (f"num_xcds = {case.dies} : i64"
                    if "num_xcds" in text else "")
        values = " extents (%gx, %gy, %gz)" if dynamic else ""
        remap = (f"    %r:3 = swizzle.remap (%x, %y, %z){values} "
                 f"grid [{x}, {y}, {z}]\n        #swizzle.formula<\"{text}\", "
                 f"params = {{}}, hardware = {{{hardware}}}>\n")
    if dynamic:
        parameters = ("%in: memref<1048576xf32>, %out: memref<1048576xf32>, "
                      "%row: index, %slab: index, "
                      "%gx: index, %gy: index, %gz: index")
        place = f"""    %oz = arith.muli {ids[2]}, %slab : index
    %oy = arith.muli {ids[1]}, %row : index
    %oyz = arith.addi %oy, %oz : index
    %at = arith.addi %oyz, %column : index
"""
        shape, at = "1048576xf32", "%at"
    else:
        shape, at = f"{z}x{y}x{x * 256}xf32", f"{ids[2]}, {ids[1]}, %column"
        parameters, place = f"%in: memref<{shape}>, %out: memref<{shape}>", ""
    return f"""
  gpu.func @{name}({parameters}) kernel
      attributes {{{known}known_block_size = array<i32: 256, 1, 1>}} {{
    %x = gpu.block_id x{upper_bound(x)}
    %y = gpu.block_id y{upper_bound(y)}
    %z = gpu.block_id z{upper_bound(z)}
    %t = gpu.thread_id x
{remap}    %c256 = arith.constant 256 : index
    %ox = arith.muli {ids[0]}, %c256 : index
    %column = arith.addi %ox, %t : index
{place}    %v = memref.load %in[{at}] : memref<{shape}>
    memref.store %v, %out[{at}] : memref<{shape}>
    gpu.return
  }}"""


def run(command: list[str], text: str) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-4000:]}")
    return done.stdout


def compile_module(options: argparse.Namespace, text: str) -> str:
    """Assembly of a module, after materialisation."""
    text = run([options.swizzle_opt, "--swizzle-materialize"], text)
    if options.chip.startswith("gfx"):
        passes = [f"--rocdl-attach-target=chip={options.chip} O=3",
                  "--convert-scf-to-cf",
                  f"--convert-gpu-to-rocdl=chipset={options.chip} "
                  "use-bare-ptr-memref-call-conv=1"]
    else:
        passes = [f"--nvvm-attach-target=chip={options.chip} O=3",
                  "--convert-scf-to-cf",
                  "--convert-gpu-to-nvvm=use-bare-ptr-memref-call-conv=1"]
    text = run([options.mlir_opt, "--allow-unregistered-dialect", *passes,
                "--reconcile-unrealized-casts",
                "--gpu-module-to-binary=format=isa"], text)
    found = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    if not found:
        sys.exit("error: the module was compiled to no assembly")
    assembly = found.group(1)
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m.group(1), 16)),
                  assembly)


class Cost(NamedTuple):
    """Instructions, or what a remap adds of them."""
    scalar: int
    vector: int


def count_amd(body: str) -> Cost:
    scalar = vector = 0
    for line in body.splitlines():
        name = line.split(None, 1)[0] if line.split() else ""
        if re.match(r"s_(waitcnt|nop|load|endpgm|code_end|delay_alu)", name):
            continue
        scalar += name.startswith("s_")
        vector += name.startswith("v_")
    return Cost(scalar, vector)


def count_ptx(body: str) -> Cost:
    instructions = [line.strip() for line in body.splitlines()
                    if line.strip().endswith(";")]
    return Cost(sum(not line.startswith((".", "//")) for line in instructions), 0)


def count_kernels(assembly: str, chip: str) -> dict[str, Cost]:
    """Instructions of each kernel, by name."""
    counts: dict[str, Cost] = {}
    if chip.startswith("gfx"):
        for match in re.finditer(r"^(k\d+[ab]):(.*?)^\.Lfunc_end", assembly,
                                 re.M | re.S):
            counts[match.group(1)] = count_amd(match.group(2))
    else:
        for match in re.finditer(r"\.entry (k\d+[ab])\(.*?\n\{(.*?)^\}",
                                 assembly, re.M | re.S):
            counts[match.group(1)] = count_ptx(match.group(2))
    return counts


def measure(options: argparse.Namespace, cases: Sequence[Case]) -> Iterator[Cost]:
    """The cost of each case: remapped minus original."""
    kernels = [kernel(f"k{i}{kind}", case, kind == "b")
               for i, case in enumerate(cases) for kind in "ab"]
    module = ("module attributes {gpu.container_module} {\ngpu.module @m {"
              + "".join(kernels) + "\n}\n}\n")
    counts = count_kernels(compile_module(options, module), options.chip)
    for i, case in enumerate(cases):
        before, after = counts[f"k{i}a"], counts[f"k{i}b"]
        yield Cost(after.scalar - before.scalar, after.vector - before.vector)


# Most scalar and vector instructions, and the median of the scalar ones.
BARS: dict[str, tuple[int, int, int | None]] = {
    "groups of 8 on 64x64": (5, 0, None),
    "powers of two": (11, 0, 8),
    "any static grid": (30, 0, None),
    "dynamic grid": (60, 12, None),
}


def main() -> bool:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--swizzle-opt", default="swizzle-opt")
    parser.add_argument("--mlir-opt", default="mlir-opt")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--only", default="", metavar="REGEX",
                        help="families whose name matches")
    parser.add_argument("--quick", action="store_true", help="fewer cases")
    parser.add_argument("--all", action="store_true", help="print every case")
    options = parser.parse_args()

    cases = [case for case in all_cases(options.quick)
             if re.search(options.only, case.family)]
    families: dict[str, list[tuple[Case, Cost]]] = {}
    for case, cost in zip(cases, measure(options, cases)):
        families.setdefault(case.family, []).append((case, cost))

    failed = False
    amd = options.chip.startswith("gfx")
    unit = "scalar + vector" if amd else "PTX"
    print(f"instructions added by a remap, {options.chip} ({unit}), measured")
    print("| family | cases | median | most | of which |")
    print("| --- | --- | --- | --- | --- |")
    for family, results in families.items():
        scalar = [cost.scalar for _, cost in results]
        vector = max(cost.vector for _, cost in results)
        worst, _ = max(results, key=lambda r: (r[1].vector > 0, r[1].scalar))
        grid = "x".join("?" if e < 0 else str(e) for e in worst.grid)
        most = f"{max(scalar)} + {vector}" if amd else f"{max(scalar)}"
        print(f"| {family} | {len(results)} | {statistics.median(scalar):g} | "
              f"{most} | {grid}, {worst.label}, {worst.dies} dies |")
        if amd and family in BARS:
            top, top_vector, median = BARS[family]
            beyond = (max(scalar) > top or vector > top_vector or
                      (median is not None and statistics.median(scalar) > median))
            if beyond:
                failed = True
                print(f"beyond the bar: {family}: at most {top} scalar and "
                      f"{top_vector} vector"
                      + (f", median {median}" if median else ""))
    if options.all:
        for family, results in families.items():
            for case, cost in results:
                grid = "x".join("?" if e < 0 else str(e) for e in case.grid)
                print(f"{family}: {grid}, {case.label}, {case.dies} dies: "
                      f"{cost.scalar} + {cost.vector}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
